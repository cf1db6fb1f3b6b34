/* The outline: the same nodes as an ARIA tree, for the keyboard, for screen readers and for small screens.
 *
 * A shared node stands once in the picture; here it stands under each of its parents, and says so. */
(function (view) {
  "use strict";

  const ROWS = 1500;
  const { element } = view;

  /* One row for each visible call: {id, node, edge, level, size, place, closed, more}. */
  function rowsOf(model, state) {
    const rows = [];
    const walk = (node, edge, path, level, place, size, parent) => {
      if (rows.length >= ROWS) return;
      const id = `${path}/${edge ? edge.id : node.id}`;
      const row = { id, node, edge, level, place, size, parent, can: view.childrenOf(node, state).length > 0 };
      row.isOpen = row.can && state.open.has(node);
      rows.push(row);
      if (!row.isOpen || id.split("/").length > 40) return;
      const calls = callsOf(node, state);
      const hidden = view.childrenOf(node, state).length - view.shownOf(node, state).length;
      const total = calls.length + (hidden > 0 ? 1 : 0);
      calls.forEach((call, index) => walk(call.node, call.edge, id, level + 1, index + 1, total, row));
      if (hidden > 0)
        rows.push({ id: id + "/more", more: node, hidden, level: level + 1, place: total, size: total, parent: row });
    };
    const roots = view.rootsOf(model, state);
    roots.forEach((root, index) => walk(root, null, "", 1, index + 1, roots.length, null));
    return rows;
  }

  /* A step that is done twice has two rows, each where it is done. */
  function callsOf(node, state) {
    const calls = view
      .shownOf(node, state)
      .flatMap((call) =>
        (call.edges.length && call.edges[0].properties.index !== undefined ? call.edges : [call.edges[0] || null]).map(
          (edge) => ({ node: call.node, edge }),
        ),
      );
    const at = (call) => call.edge?.properties.index ?? 1e9;
    return calls
      .map((call, index) => ({ call, index }))
      .sort((a, b) => at(a.call) - at(b.call) || a.index - b.index)
      .map((each) => each.call);
  }

  function create(tree, on) {
    let rows = [];
    let focused = "";
    tree.addEventListener("keydown", (event) => press(event));
    tree.addEventListener("click", (event) => {
      const row = rowAt(event.target);
      if (!row) return;
      focusRow(row.id);
      if (row.more) on.more(row.more);
      else if (event.target.closest(".twisty") && row.can) on.toggle(row.node);
      else on.select(row.node);
    });
    tree.addEventListener("dblclick", (event) => {
      const row = rowAt(event.target);
      if (row?.can && !event.target.closest(".twisty")) on.toggle(row.node);
    });

    function rowAt(target) {
      const item = target.closest("[role=treeitem]");
      return item && rows[Number(item.dataset.row)];
    }

    function draw(model, state) {
      const had = tree.contains(document.activeElement);
      rows = rowsOf(model, state);
      if (!rows.some((row) => row.id === focused)) focused = rows[0]?.id || "";
      tree.replaceChildren(...rows.map((row, index) => item(row, index)));
      if (had) focusRow(focused);
      mark(state, false);
    }

    function item(row, index) {
      const made = element("div", {
        role: "treeitem",
        class: row.more ? "row more" : `row ${row.node.label}`,
        "data-row": index,
        tabindex: row.id === focused ? "0" : "-1",
        "aria-level": row.level,
        "aria-setsize": row.size,
        "aria-posinset": row.place,
        "aria-expanded": row.can ? String(row.isOpen) : null,
        "aria-selected": row.more ? null : "false",
      });
      made.style.setProperty("--level", Math.min(row.level - 1, 9));
      if (row.more)
        made.append(
          element("span", { class: "twisty", "aria-hidden": "true" }),
          element("span", { class: "name" }, `Show more (${row.hidden.toLocaleString("en")} hidden)`),
        );
      else made.append(...content(row));
      return made;
    }

    function content(row) {
      const { node, edge } = row;
      const order = edge?.properties.index;
      const bound = edge ? view.bindings(edge.properties.bindings, true) : [];
      return [
        element("span", { class: "twisty", "aria-hidden": "true" }, row.can ? (row.isOpen ? "▾" : "▸") : ""),
        view.dot(node),
        element(
          "span",
          { class: "words" },
          element("span", { class: "unseen" }, `${view.kindName(node)}: `),
          element("span", { class: "name" }, (Number.isInteger(order) ? `${order + 1}. ` : "") + view.nameOf(node)),
          bound.length ? element("span", { class: "bound" }, bound.join(", ")) : null,
          view.meta(node) ? element("span", { class: "meta" }, view.meta(node)) : null,
        ),
      ];
    }

    function mark(state, scroll) {
      let first = true;
      for (const item of tree.children) {
        const row = rows[Number(item.dataset.row)];
        if (row.more) continue;
        const chosen = row.node === state.selected;
        item.classList.toggle("same", chosen);
        item.setAttribute("aria-selected", String(chosen && first));
        if (chosen && first) {
          first = false;
          if (scroll) item.scrollIntoView({ block: "nearest" });
          if (!tree.contains(document.activeElement)) setTabStop(row.id);
        }
      }
    }

    function setTabStop(id) {
      focused = id;
      for (const item of tree.children) item.tabIndex = rows[Number(item.dataset.row)].id === id ? 0 : -1;
    }

    function focusRow(id) {
      setTabStop(id);
      const index = rows.findIndex((row) => row.id === id);
      tree.children[index]?.focus();
    }

    function press(event) {
      const at = rows.findIndex((row) => row.id === focused);
      const row = rows[at];
      if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
      const act = {
        ArrowDown: () => rows[at + 1] && focusRow(rows[at + 1].id),
        ArrowUp: () => rows[at - 1] && focusRow(rows[at - 1].id),
        Home: () => focusRow(rows[0].id),
        End: () => focusRow(rows.at(-1).id),
        ArrowRight: () =>
          row.can && !row.isOpen ? on.toggle(row.node) : row.can && rows[at + 1] && focusRow(rows[at + 1].id),
        ArrowLeft: () => (row.isOpen ? on.toggle(row.node) : row.parent && focusRow(row.parent.id)),
        Enter: () => (row.more ? on.more(row.more) : on.select(row.node)),
        " ": () => (row.more ? on.more(row.more) : on.select(row.node)),
      }[event.key];
      if (act) {
        event.preventDefault();
        act();
      } else if (event.key.length === 1 && event.key !== "/") startingWith(event.key.toLowerCase(), at);
    }

    function startingWith(letter, at) {
      const next = [...rows.slice(at + 1), ...rows.slice(0, at)].find((row) =>
        row.node?.name.toLowerCase().startsWith(letter),
      );
      if (next) focusRow(next.id);
    }

    return { draw, mark };
  }

  view.createOutline = create;
})((window.graphmemView = window.graphmemView || {}));
