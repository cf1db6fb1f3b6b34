/* What the details say with nothing chosen: each domain with its counts, the legend, and all counts. */
(function (view) {
  "use strict";

  const { element } = view;
  const LEGEND = [
    ["Domain", "", "domain"],
    ["Site", "", "site"],
    ["Task", "", "task: a goal with slots, above the ways to do it"],
    ["Subtask", "", "subtask: a routine, drawn once with all its parents"],
    ["Action", "", "action: one step on one element"],
    ["Subtask general", "", "general: in its own lane, for several sites"],
    ["Subtask each", "↻", "for each item of a list"],
    ["Subtask until", "⟳", "again until a condition holds"],
    ["Subtask optional", "?", "only when the page asks for it"],
    ["Subtask any_order", "⇅", "in any order"],
    ["Subtask choose", "⋔", "the first that applies"],
    ["line", "1", "a call; the number is the step"],
    ["line dashed", "", "from a site's own to its general form"],
  ];
  const OF_PLAN = ["plan", "3", "on the way of the plan, with its steps"];

  function overview(model, link) {
    const legend = model.plan?.nodes.size ? [...LEGEND, OF_PLAN] : LEGEND;
    return [
      element("h2", {}, "The graph"),
      element("p", { class: "text" }, "Choose a node or a line for its slots, conditions, counts and recordings."),
      domains(model, link),
      section(
        "Legend",
        element(
          "ul",
          { class: "legend" },
          legend.map(([look, glyph, text]) =>
            element("li", {}, element("span", { class: `dot ${look}`, "aria-hidden": "true" }, glyph), text),
          ),
        ),
      ),
      element(
        "details",
        { class: "all-counts" },
        element("summary", {}, "All counts"),
        section("Nodes", counts(inLevels(model.data.counts))),
        section("Relationships", counts(model.data.relationships)),
      ),
    ];
  }

  function domains(model, link) {
    const found = model.nodes.filter((node) => node.label === "Domain");
    if (!found.length) return null;
    const most = [...found].sort((a, b) => b.holds.Task - a.holds.Task || view.compare(a.name, b.name)).slice(0, 30);
    const item = (node) => element("li", {}, link(node), element("span", { class: "bound" }, view.holding(node)));
    return section(`Domains (${found.length})`, element("ul", { class: "calls" }, most.map(item)));
  }

  /* "31 sites · 402 tasks · 450 subtasks": what a domain or a site holds, and how often it was recorded. */
  function holding(node) {
    const of = Object.entries(node.holds).filter(([, count]) => count);
    const said = of.map(([label, count]) => view.plural(count, label.toLowerCase()));
    return [...said, view.plural(node.recordings || 0, "recording")].join(" · ");
  }

  function counts(pairs) {
    return element(
      "dl",
      { class: "facts count" },
      Object.entries(pairs).flatMap(([name, count]) => [
        element("dt", {}, name),
        element("dd", {}, count.toLocaleString("en")),
      ]),
    );
  }

  function inLevels(pairs) {
    const at = (label) => view.LEVEL[label] ?? 9;
    return Object.fromEntries(
      Object.entries(pairs).sort((one, other) => at(one[0]) - at(other[0]) || view.compare(one[0], other[0])),
    );
  }

  function section(title, ...content) {
    return element("section", {}, element("h3", {}, title), ...content);
  }

  Object.assign(view, { overview, holding, section });
})((window.graphmemView = window.graphmemView || {}));
