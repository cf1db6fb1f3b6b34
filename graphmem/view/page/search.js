/* Search: every word must stand somewhere in a node's name, text, slots, target or key. A combobox with a list of hits. */
(function (view) {
  "use strict";

  const HITS = 50;
  const { element } = view;

  function search(model, text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    const hits = model.nodes.filter((node) => words.every((word) => node.haystack.includes(word)));
    const weight = (node) => {
      const name = node.name.toLowerCase();
      return (
        (name.startsWith(words.join(" ")) ? 0 : words.every((word) => name.includes(word)) ? 1 : 2) * 10 +
        view.LEVEL[node.label]
      );
    };
    return hits
      .map((node) => ({ node, weight: weight(node) }))
      .sort(
        (one, other) =>
          one.weight - other.weight || view.uses(other.node) - view.uses(one.node) || one.node.place - other.node.place,
      )
      .map((each) => each.node);
  }

  function create(input, box, list, note, model, on) {
    let hits = [];
    let at = -1;

    input.addEventListener("input", find);
    input.addEventListener("focus", () => {
      if (input.value) find();
    });
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        input.value = "";
        close();
      } else if (event.key === "ArrowDown") {
        event.preventDefault();
        go(at + 1);
      } else if (event.key === "ArrowUp") {
        event.preventDefault();
        go(at - 1);
      } else if (event.key === "Enter" && hits.length) {
        event.preventDefault();
        choose(Math.max(at, 0));
      }
    });
    input.addEventListener("blur", () =>
      setTimeout(() => {
        if (!box.contains(document.activeElement)) close();
      }, 150),
    );
    document.addEventListener("keydown", (event) => {
      if (event.key === "/" && !/INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) {
        event.preventDefault();
        input.focus();
        input.select();
      }
    });

    function find() {
      const all = search(model, input.value);
      hits = all.slice(0, HITS);
      at = -1;
      list.replaceChildren(...hits.map(option));
      note.textContent = !input.value.trim()
        ? ""
        : all.length > HITS
          ? `${all.length.toLocaleString("en")} found, the first ${HITS} listed`
          : `${all.length || "Nothing"} found`;
      box.hidden = !input.value.trim();
      list.hidden = !hits.length;
      input.setAttribute("aria-expanded", String(!box.hidden && hits.length > 0));
      input.removeAttribute("aria-activedescendant");
      on.said(note.textContent);
    }

    function option(node, index) {
      const where = [
        view.kindName(node),
        node.properties.general
          ? "general"
          : [...node.sites]
              .map((site) => site.name)
              .sort()
              .slice(0, 3)
              .join(", "),
      ];
      const made = element(
        "li",
        { role: "option", id: "hit-" + index, "aria-selected": "false" },
        view.dot(node),
        element(
          "span",
          { class: "words" },
          element("span", { class: "name" }, view.nameOf(node)),
          element("span", { class: "meta" }, where.filter(Boolean).join(" · ")),
        ),
      );
      made.addEventListener("mousedown", (event) => {
        event.preventDefault();
        choose(index);
      });
      return made;
    }

    function go(to) {
      if (!hits.length) return;
      list.children[at]?.setAttribute("aria-selected", "false");
      at = (to + hits.length) % hits.length;
      list.children[at].setAttribute("aria-selected", "true");
      list.children[at].scrollIntoView({ block: "nearest" });
      input.setAttribute("aria-activedescendant", "hit-" + at);
    }

    function choose(index) {
      const node = hits[index];
      close();
      on.choose(node);
    }

    function close() {
      box.hidden = true;
      input.setAttribute("aria-expanded", "false");
      input.removeAttribute("aria-activedescendant");
    }
  }

  view.search = search;
  view.createSearch = create;
})((window.graphmemView = window.graphmemView || {}));
