/* The details of what is chosen: a node, a relationship, or with nothing chosen the whole graph and its legend. */
(function (view) {
  "use strict";

  const LIST = 40; // entries of a long list before "and n more"
  const { element, dot } = view;
  const section = (...given) => view.section(...given);
  const SHOWN = new Set([
    "text",
    "kind",
    "spec",
    "site",
    "sites",
    "domain",
    "status",
    "uses",
    "successes",
    "failures",
    "general",
    "parameters",
    "slots",
    "preconditions",
    "postconditions",
    "target",
    "value",
    "op",
    "role",
    "created",
    "updated",
    "embedding",
  ]);

  function create(panel, model, on) {
    function show(state) {
      const content = state.edge
        ? edgeDetails(state.edge)
        : state.selected
          ? nodeDetails(state.selected, state)
          : view.overview(model, link);
      panel.replaceChildren(...content.filter(Boolean));
      panel.scrollTop = 0;
    }

    /* -- a node ---------------------------------------------------------------------------------------------------- */

    function nodeDetails(node, state) {
      const own = node.properties;
      const name = view.nameOf(node);
      return [
        element(
          "p",
          { class: "kind" },
          dot(node),
          view.kindName(node),
          own.general ? pill("general") : null,
          own.status ? pill(own.status) : null,
        ),
        element("h2", {}, name),
        own.text && own.text !== name
          ? element("p", { class: own.text.includes("\n") ? "program" : "text" }, own.text)
          : null,
        actions(node, state),
        counts(node),
        facts([
          ["Does", view.isControl(node) && view.control(node)],
          ["Operation", own.op],
          ["Element", own.target && view.target(own.target)],
          ["Value", own.value],
          ["Holds", node.holds && view.holding(node)],
          ["Sites", namesOf(node.sites, node)],
          ["Domains", namesOf(node.domains, node)],
        ]),
        ...targetFacts(own.target),
        slots(node),
        conditions("Before it starts", own.preconditions),
        conditions("When it is done", own.postconditions),
        calls(
          "Parents",
          node.parents.map((parent) => ({
            node: parent,
            edges: parent.children.find((call) => call.node === node).edges,
          })),
          true,
        ),
        calls(node.label === "Subtask" ? "Steps, in order" : "Children", inOrder(node)),
        calls("General form", others(node, "SPECIALIZES", "source")),
        calls("Special forms", others(node, "SPECIALIZES", "target")),
        calls("Came next", others(node, "NEXT", "source")),
        calls("Came before", others(node, "NEXT", "target")),
        recordings(node),
        pages(node),
        rest(node),
      ];
    }

    function actions(node, state) {
      const open = state.open.has(node);
      const fixed = state.ego || state.planOnly; // what shows does not hang on what is open
      const button = (text, act) => element("button", { type: "button", onclick: act }, text);
      return element(
        "div",
        { class: "actions" },
        node.children.length && !fixed ? button(open ? "Close" : "Open", () => on.toggle(node)) : null,
        node.children.length && !fixed ? button("Open all below", () => on.openBelow(node)) : null,
        node.parents.length && node.label !== "Group" ? button("Show in graph", () => on.showInGraph(node)) : null,
        node.label !== "Group" && state.ego !== node ? button("Only this", () => on.ego(node)) : null,
      );
    }

    function counts(node) {
      const own = node.properties;
      if (own.uses === undefined && own.successes === undefined && own.failures === undefined) return null;
      const numbers = [
        ["uses", own.uses],
        ["successes", own.successes],
        ["failures", own.failures],
      ].map(([name, value]) => [name, Number(value) || 0]);
      const [, good, bad] = numbers.map(([, value]) => value);
      const bar = element("meter", {
        min: 0,
        max: Math.max(good + bad, 1),
        value: good,
        "aria-label": `${good} of ${good + bad} judged uses succeeded`,
      });
      return element(
        "div",
        { class: "numbers" },
        ...numbers.map(([name, value]) =>
          element("div", { class: "number" }, element("b", {}, value.toLocaleString("en")), " ", name),
        ),
        good + bad ? bar : null,
      );
    }

    function targetFacts(target) {
      if (!target || typeof target !== "object") return [];
      const parts = Object.entries(target).filter(
        ([name, value]) => !["role", "name", "near"].includes(name) && view.phrase(value),
      );
      return parts.length
        ? [
            fold(
              "Element in full",
              facts(parts.map(([name, value]) => [name.replaceAll("_", " "), view.phrase(value)])),
            ),
          ]
        : [];
    }

    function slots(node) {
      const rows = [
        ...(node.properties.parameters || []).map((slot) =>
          typeof slot === "object" ? [slot.name, slot.type || "text"] : [slot, ""],
        ),
        ...(node.properties.slots || []).map((slot) => [slot, "left open for the caller"]),
      ];
      if (!rows.length) return null;
      return section(
        "Slots",
        element(
          "dl",
          { class: "facts" },
          rows.flatMap(([name, type]) => [element("dt", {}, `{${name}}`), element("dd", {}, type || "text")]),
        ),
      );
    }

    function conditions(title, list) {
      if (!Array.isArray(list) || !list.length) return null;
      return section(
        title,
        element(
          "ul",
          {},
          list.map((each) => element("li", {}, view.condition(each))),
        ),
      );
    }

    function inOrder(node) {
      return node.children
        .flatMap((call) =>
          call.edges.some((edge) => edge.properties.index !== undefined)
            ? call.edges.map((edge) => ({ node: call.node, edges: [edge] }))
            : [call],
        )
        .sort((one, other) => (one.edges[0]?.properties.index ?? 1e9) - (other.edges[0]?.properties.index ?? 1e9));
    }

    function others(node, type, here) {
      const there = here === "source" ? "target" : "source";
      return node.edges
        .filter((edge) => edge.type === type && edge[here] === node)
        .map((edge) => ({ node: edge[there], edges: [edge] }))
        .sort((one, other) => (other.edges[0].properties.count || 0) - (one.edges[0].properties.count || 0));
    }

    /* Nodes at the other end of relationships; of a parent, `above`, a number says which of its steps this is. */
    function calls(title, list, above) {
      if (!list.length) return null;
      const item = ({ node, edges }) =>
        element(
          "li",
          {},
          link(node, !above && edges.length === 1 ? edges[0].properties.index : undefined),
          ...edges.flatMap((edge) => said(edge, above)),
        );
      return section(`${title} (${list.length})`, long("ul", list, item, "calls"));
    }

    function said(edge, above) {
      const { bindings, count, uses, successes, failures, index } = edge.properties;
      const parts = [above && Number.isInteger(index) ? `as step ${index + 1}` : "", ...view.bindings(bindings)].filter(
        Boolean,
      );
      if (count) parts.push(`${count} times`);
      if (uses)
        parts.push(
          `${view.plural(uses, "use")}${successes || failures ? ` (${successes || 0} good, ${failures || 0} bad)` : ""}`,
        );
      return parts.length ? [element("span", { class: "bound" }, parts.join(", "))] : [];
    }

    /* -- what it was learnt from ----------------------------------------------------------------------------------- */

    function recordings(node) {
      const seen = new Map();
      for (const { recording, properties } of node.evidence) note(recording, properties);
      for (const { recording } of node.performed) note(recording, {});
      if (!seen.size) return null;
      const all = Math.max(seen.size, node.recordings || 0);
      const left = all - seen.size;
      return section(
        `Recordings (${all.toLocaleString("en")})`,
        long("div", [...seen], ([place, uses]) => recording(model.data.recordings[place], uses, node), "recordings"),
        left ? element("p", { class: "meta" }, `${left.toLocaleString("en")} more are in the store only.`) : null,
      );
      function note(place, properties) {
        if (!seen.has(place)) seen.set(place, []);
        if (properties.first !== undefined) seen.get(place).push(properties);
      }
    }

    function recording(each, uses, node) {
      const own = each.properties;
      const verdict = own.judged || own.outcome || "";
      const covered = (index) =>
        uses.some((use) => index >= use.first && index <= use.last && !(use.residual || []).includes(index));
      const steps = each.steps.map((step) =>
        element(
          "li",
          {
            value: step.index + 1,
            class: covered(step.index) || (step.action === node.place && node.label === "Action") ? "covered" : "",
          },
          [step.op, step.role, step.name && `“${step.name}”`, step.value && `= ${step.value}`]
            .filter(Boolean)
            .join(" "),
        ),
      );
      const bound = uses.flatMap((use) => view.bindings(use.bindings));
      return element(
        "details",
        {},
        element("summary", {}, each.name, verdict ? pill(verdict) : null),
        facts([
          ["Recorded", own.recorded_at],
          ["Run", own.run_id],
          ["Source", own.source && view.phrase(own.source)],
          ["Slots", bound.join(", ")],
          ["Judged", each.judgements.map((judged) => `${judged.verdict} by ${judged.by}`).join(", ")],
          ["Answer", own.answer],
          ["Key", each.key],
        ]),
        steps.length ? element("ol", { class: "steps" }, steps) : null,
      );
    }

    function pages(node) {
      let list = [];
      if (node.label === "Site") list = model.data.pages.filter((page) => page.site === node.name);
      else
        list = [...new Set(node.performed.map(({ step }) => step.page))]
          .filter((page) => page !== undefined)
          .map((page) => model.data.pages[page]);
      if (!list.length) return null;
      return section(
        `Pages (${list.length})`,
        long(
          "ul",
          list,
          (page) => element("li", {}, element("code", {}, page.pattern), page.title ? ` ${page.title}` : ""),
          "",
        ),
      );
    }

    function rest(node) {
      const own = Object.entries(node.properties)
        .filter(([name]) => !SHOWN.has(name))
        .map(([name, value]) => [name.replaceAll("_", " "), view.phrase(value)]);
      const times = [
        ["Created", node.properties.created],
        ["Updated", node.properties.updated],
      ];
      return fold("Key and other properties", facts([...own, ...times, ["Key", node.key]]));
    }

    /* -- a relationship -------------------------------------------------------------------------------------------- */

    function edgeDetails(edge) {
      const own = edge.properties;
      const bound = Object.entries(own.bindings || {});
      const plain = Object.entries(own)
        .filter(([name]) => name !== "bindings")
        .map(([name, value]) => [name, name === "index" ? `${value} (step ${value + 1})` : view.phrase(value)]);
      return [
        element("p", { class: "kind" }, "Relationship"),
        element("h2", {}, edge.type),
        section("From", element("p", {}, link(edge.source))),
        section("To", element("p", {}, link(edge.target))),
        bound.length
          ? section(
              "Bindings",
              element(
                "dl",
                { class: "facts" },
                bound.flatMap(([slot, what]) => [
                  element("dt", {}, `{${slot}}`),
                  element("dd", {}, view.binding(what)),
                ]),
              ),
            )
          : null,
        facts(plain),
      ];
    }

    /* -- pieces ---------------------------------------------------------------------------------------------------- */

    function link(node, index) {
      return element(
        "button",
        { type: "button", class: "link", onclick: () => on.reveal(node) },
        dot(node),
        element("span", {}, (Number.isInteger(index) ? `${index + 1}. ` : "") + view.nameOf(node)),
      );
    }

    function pill(text) {
      return element("span", { class: `pill ${/^[a-z]+$/.test(text) ? text : ""}` }, text);
    }

    function namesOf(set, node) {
      return [...(set || [])]
        .filter((each) => each !== node)
        .map((each) => each.name)
        .sort()
        .join(", ");
    }

    function facts(pairs) {
      const given = pairs.filter(([, value]) => value);
      return given.length
        ? element(
            "dl",
            { class: "facts" },
            given.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, String(value))]),
          )
        : null;
    }

    function fold(title, content) {
      return content && element("details", {}, element("summary", {}, title), content);
    }

    /* A long list, its end behind a button. */
    function long(tag, list, make, name) {
      const made = element(tag, { class: name }, list.slice(0, LIST).map(make));
      const more = () => {
        button.remove();
        made.append(...list.slice(LIST).map(make));
      };
      const button = element(
        "button",
        { type: "button", onclick: more },
        `and ${(list.length - LIST).toLocaleString("en")} more`,
      );
      return list.length > LIST ? [made, button] : made;
    }

    return { show };
  }

  view.createDetails = create;
})((window.graphmemView = window.graphmemView || {}));
