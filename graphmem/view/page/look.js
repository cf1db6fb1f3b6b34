/* How the picture looks: sizes of cards and the style sheet of cytoscape.js, its colours those of page.css.
 *
 * What kind of node it is shows by colour, by border and in words, so that it does not hang on colour alone. */
(function (view) {
  "use strict";

  const WIDTH = { Domain: 150, Site: 150, Task: 226, Group: 180, Subtask: 200, Action: 200 };
  const PAD = 12;
  const LINE = 17;
  const SMALL = 14;
  const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif';

  function sheet() {
    const css = window.getComputedStyle(document.documentElement);
    const colour = (name) => css.getPropertyValue("--" + name).trim();
    const stripe = (name) => ({
      "background-gradient-stop-colors": `${colour(name)} ${colour(name)} ${colour("card")} ${colour("card")}`,
      "border-color": colour(name),
    });
    const level = Object.keys(WIDTH).map((label) => ({
      selector: "node." + label,
      style: stripe(label.toLowerCase()),
    }));
    return [
      {
        selector: "node",
        style: { "font-family": FONT, "text-wrap": "wrap", "text-max-width": 1000, "z-index-compare": "manual" },
      },
      {
        selector: "node.card",
        style: {
          shape: "round-rectangle",
          "corner-radius": 6,
          width: "data(w)",
          height: "data(h)",
          label: "data(text)",
          "font-size": 13,
          color: colour("text"),
          "line-height": LINE / 15,
          "text-valign": "center",
          "text-halign": "right",
          "text-justification": "left",
          "text-margin-x": (node) => PAD - node.data("w"),
          "text-margin-y": "data(up)",
          "border-width": 1.5,
          "z-index": 10,
          "background-fill": "linear-gradient",
          "background-gradient-direction": "to-right",
          "background-gradient-stop-positions": "0% 3% 3% 100%",
          "overlay-opacity": 0,
        },
      },
      ...level,
      { selector: "node.Domain, node.Site, node.Task", style: { "font-weight": 600 } },
      { selector: "node.Action", style: { "corner-radius": 14, "border-width": 1 } },
      { selector: "node.each", style: { "border-style": "double", "border-width": 5 } },
      { selector: "node.until", style: { "border-style": "double", "border-width": 5 } },
      { selector: "node.optional", style: { "border-style": "dashed", "border-width": 2 } },
      { selector: "node.choose", style: { "border-style": "dashed", "border-width": 4 } },
      { selector: "node.any_order", style: { "border-style": "dotted", "border-width": 2.5 } },
      { selector: "node.general", style: stripe("group") },
      { selector: "node.Group", style: { "border-style": "dashed", "font-weight": 600 } },
      { selector: "node.quarantined", style: { "border-color": colour("bad") } },
      { selector: "node.faint", style: { opacity: 0.5 } },
      {
        selector: "node.chosen",
        style: {
          "border-width": 3,
          "border-color": colour("focus"),
          "underlay-color": colour("focus"),
          "underlay-opacity": 0.18,
          "underlay-padding": 6,
        },
      },
      { selector: "node.planned", style: { "border-width": 2.5, "border-color": colour("plan") } },
      {
        selector: "node.on-path",
        style: { "underlay-color": colour("plan"), "underlay-opacity": 0.2, "underlay-padding": 6 },
      },
      {
        selector: "node.step",
        style: {
          shape: "round-rectangle",
          "corner-radius": 9,
          width: (node) => Math.max(20, 9 + 6.5 * node.data("text").length),
          height: 18,
          label: "data(text)",
          "font-size": 11,
          "font-weight": 600,
          "text-valign": "center",
          color: colour("on-plan"),
          "background-color": colour("plan"),
          events: "no",
          "z-index": 13,
        },
      },
      {
        selector: "node.tray, node.lane",
        style: {
          shape: "round-rectangle",
          "corner-radius": 8,
          width: "data(w)",
          height: "data(h)",
          events: "no",
          "background-color": colour("tray"),
          "z-index": 0,
        },
      },
      { selector: "node.tray.bare", style: { "background-opacity": 0 } },
      {
        selector: "node.lane",
        style: {
          "background-color": colour("lane"),
          label: "data(text)",
          "font-size": 11,
          color: colour("muted"),
          "text-valign": "top",
          "text-halign": "center",
        },
      },
      {
        selector: "node.caption",
        style: {
          width: "data(w)",
          height: 1,
          "background-opacity": 0,
          "border-width": 0,
          label: "data(text)",
          "font-size": 11,
          color: colour("muted"),
          events: "no",
          "text-valign": "center",
          "text-halign": "right",
          "text-justification": "left",
          "text-margin-x": (node) => PAD - node.data("w"),
          "z-index": 11,
          "line-height": SMALL / 13,
        },
      },
      {
        selector: "node.handle",
        style: {
          shape: "round-rectangle",
          "corner-radius": 9,
          width: (node) => Math.max(20, 10 + 7 * node.data("text").length),
          height: 18,
          label: "data(text)",
          "font-size": 11,
          "font-weight": 600,
          "text-valign": "center",
          color: colour("on-handle"),
          "background-color": colour("handle"),
          "border-width": 1.5,
          "border-color": colour("canvas"),
          "z-index": 12,
        },
      },
      {
        selector: "node.handle.opened",
        style: { "background-color": colour("card"), color: colour("muted"), "border-color": colour("line") },
      },
      {
        selector: "node.more",
        style: {
          shape: "round-rectangle",
          width: 104,
          height: 26,
          label: "data(text)",
          "font-size": 12,
          "text-valign": "center",
          color: colour("focus"),
          "background-color": colour("card"),
          "border-width": 1,
          "border-style": "dashed",
          "border-color": colour("focus"),
          "z-index": 10,
        },
      },
      {
        selector: "edge",
        style: {
          width: 1.5,
          "line-color": colour("line"),
          "target-arrow-color": colour("line"),
          "curve-style": "straight",
          "z-index-compare": "manual",
          "z-index": 1,
          "font-family": FONT,
          "font-size": 10,
          color: colour("muted"),
          "overlay-opacity": 0,
        },
      },
      {
        selector: "edge[weights]",
        style: {
          "curve-style": "unbundled-bezier",
          "edge-distances": "endpoints",
          "control-point-weights": "data(weights)",
          "control-point-distances": "data(distances)",
          "source-endpoint": "data(out)",
          "target-endpoint": "data(in)",
        },
      },
      { selector: "edge.relationship.down", style: { "target-arrow-shape": "triangle", "arrow-scale": 0.7 } },
      {
        selector: "edge[order]",
        style: {
          "target-label": "data(order)",
          "target-text-offset": 18,
          "text-background-color": colour("canvas"),
          "text-background-opacity": 1,
          "text-background-padding": 1,
        },
      },
      { selector: "edge.mine", style: { "target-label": "data(step)" } },
      {
        selector: "edge.SPECIALIZES",
        style: {
          "line-style": "dashed",
          "line-color": colour("group"),
          "target-arrow-color": colour("group"),
          "target-arrow-shape": "triangle",
          "target-arrow-fill": "hollow",
          width: 1,
          opacity: 0.45,
        },
      },
      {
        selector: "edge.NEXT",
        style: {
          "line-style": "dotted",
          "line-color": colour("action"),
          "target-arrow-color": colour("action"),
          "target-arrow-shape": "vee",
          "arrow-scale": 0.8,
        },
      },
      {
        selector: "edge.planned, edge.on-path",
        style: {
          opacity: 1,
          width: 2.5,
          "line-color": colour("plan"),
          "target-arrow-color": colour("plan"),
          "z-index": 4,
        },
      },
      { selector: "edge.on-path", style: { width: 4.5, "z-index": 7 } },
      {
        selector: "edge.near",
        style: {
          opacity: 1,
          width: 2,
          "line-color": colour("focus"),
          "target-arrow-color": colour("focus"),
          "z-index": 5,
        },
      },
      {
        selector: "edge.chosen",
        style: {
          opacity: 1,
          width: 3.5,
          "line-color": colour("focus"),
          "target-arrow-color": colour("focus"),
          "z-index": 6,
        },
      },
      {
        selector: "edge.chosen[said]",
        style: {
          "z-index": 50,
          label: "data(said)",
          "text-wrap": "wrap",
          "text-background-color": colour("canvas"),
          "text-background-opacity": 0.9,
          "text-background-padding": 2,
          color: colour("text"),
        },
      },
    ];
  }

  view.look = { WIDTH, PAD, LINE, SMALL, FONT, sheet };
})((window.graphmemView = window.graphmemView || {}));
