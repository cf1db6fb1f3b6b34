/* The picture: cytoscape.js draws, dagre places, from left to right in the order in which a routine's steps are done.
 *
 * A node of the graph is a card; its second line ("caption") and its open/close button ("handle") are small nodes of their
 * own on top of it, without a counterpart in the graph. */
(function (view) {
  "use strict";

  const WEIGHT = { IN: 8, ON: 8, HAS_WAY: 3 }; // keeps sites beside their domain, tasks beside their site
  const { WIDTH, PAD, LINE, SMALL, FONT, sheet } = view.look;
  const ruler = document.createElement("canvas").getContext("2d");

  function create(container, on) {
    const cy = window.cytoscape({
      container,
      style: sheet(),
      autoungrabify: true,
      boxSelectionEnabled: false,
      minZoom: 0.05,
      maxZoom: 2.5,
      autounselectify: true,
      pixelRatio: Math.max(2, window.devicePixelRatio || 1), // text is drawn from a cache, blurred at 1
    });
    cy.on("tap", "node.card", (event) => on.select(event.target.data("node")));
    cy.on("dbltap", "node.card", (event) => on.toggle(event.target.data("node")));
    cy.on("tap", "node.handle", (event) => on.toggle(event.target.data("node")));
    cy.on("tap", "node.more", (event) => on.more(event.target.data("node")));
    cy.on("tap", "edge.relationship", (event) => on.selectEdge(event.target.data("edge")));
    cy.on("tap", (event) => {
      if (event.target === cy) on.select(null);
    });
    cy.on("mouseover", "node.card, node.handle, node.more, edge.relationship", () => {
      container.style.cursor = "pointer";
    });
    cy.on("mouseout", () => {
      container.style.cursor = "";
    });
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => cy.style(sheet()));
    return cy;
  }

  /* -- text -------------------------------------------------------------------------------------------------------- */

  function wrap(text, font, width, most) {
    ruler.font = font;
    const lines = [""];
    for (const { space, part } of parts(text, width)) {
      const longer = lines.at(-1) + (lines.at(-1) ? space : "") + part;
      if (ruler.measureText(longer).width <= width) lines[lines.length - 1] = longer;
      else lines.push(part);
    }
    if (lines.length <= most) return lines;
    let last = lines[most - 1];
    while (last && ruler.measureText(last + "…").width > width) last = last.slice(0, -1);
    return [...lines.slice(0, most - 1), last + "…"];
  }

  /* The words of a text; a word that is wider than a line in pieces, cut behind a sign such as a dot where it has one. */
  function parts(text, width) {
    const fits = (part) => ruler.measureText(part).width <= width;
    return text
      .slice(0, 500)
      .split(/\s+/)
      .filter(Boolean)
      .flatMap((word) => {
        const pieces = fits(word) ? [word] : word.split(/(?<=[./_?&=:@-])/).flatMap((piece) => cut(piece, fits));
        return pieces.map((part, index) => ({ space: index ? "" : " ", part }));
      });
  }

  function cut(word, fits) {
    const made = [];
    let rest = Array.from(word);
    while (rest.length) {
      let take = rest.length;
      while (take > 1 && !fits(rest.slice(0, take).join(""))) take = Math.max(1, Math.ceil(take * 0.8) - 1);
      made.push(rest.slice(0, take).join(""));
      rest = rest.slice(take);
    }
    return made;
  }

  function card(node) {
    const width = WIDTH[node.label] || 200;
    const bold = node.label === "Domain" || node.label === "Site" || node.label === "Task";
    const room = width - 2 * PAD;
    const name = wrap(view.nameOf(node), `${bold ? 600 : 400} 13px ${FONT}`, room, 3);
    const text = view.meta(node);
    const caption = text ? wrap(text, `11px ${FONT}`, room, 2) : [];
    const height = name.length * LINE + caption.length * SMALL + (caption.length ? 2 : 0) + 14;
    return { width, height, name, caption };
  }

  /* -- elements ---------------------------------------------------------------------------------------------------- */

  function draw(cy, model, state) {
    const { nodes, more } = view.visible(model, state);
    const elements = [];
    const placed = new Map();
    for (const node of nodes) placed.set(node, card(node));
    const edges = lines(nodes, placed, state);
    const at = place(nodes, more, placed, edges);
    for (const node of nodes) elements.push(...cardElements(node, placed.get(node), at.get(node.id), state));
    for (const { parent, hidden } of more) elements.push(moreElement(parent, hidden, at.get("more:" + parent.id)));
    const widths = new Map([...placed].map(([node, size]) => [node.id, size.width]));
    for (const edge of edges) elements.push(edgeElement(edge, at, widths));
    for (const { parent } of more)
      elements.push(plainLine(`more-line:${parent.id}`, parent.id, "more:" + parent.id, at, widths));
    cy.batch(() => {
      cy.elements().remove();
      cy.add(elements);
    });
    mark(cy, state);
    return nodes;
  }

  function cardElements(node, size, at, state) {
    const faint = state.match && !state.match.has(node) ? " faint" : "";
    const kind = view.kindOf(node);
    const made = [
      {
        group: "nodes",
        position: { x: at.x, y: at.y },
        data: {
          id: node.id,
          node,
          text: size.name.join("\n"),
          w: size.width,
          h: size.height,
          up: size.caption.length ? -(size.caption.length * SMALL + 2) / 2 : 0,
        },
        classes: `card ${node.label} ${kind} ${node.properties.general ? "general" : ""} ${node.properties.status || ""}${faint}`,
      },
    ];
    if (size.caption.length)
      made.push({
        group: "nodes",
        position: { x: at.x, y: at.y + size.height / 2 - 6 - (size.caption.length * SMALL) / 2 },
        data: { id: "caption:" + node.id, text: size.caption.join("\n"), w: size.width },
        classes: "caption" + faint,
      });
    const children = view.childrenOf(node, state).length;
    if (children && !state.ego)
      made.push({
        group: "nodes",
        position: { x: at.x + size.width / 2, y: at.y },
        data: { id: "handle:" + node.id, node, text: state.open.has(node) ? "−" : String(children) },
        classes: `handle ${state.open.has(node) ? "opened" : ""}`,
      });
    return made;
  }

  function moreElement(parent, hidden, at) {
    return {
      group: "nodes",
      position: at,
      classes: "more",
      data: { id: "more:" + parent.id, node: parent, text: `${hidden.toLocaleString("en")} more` },
    };
  }

  /* The relationships between nodes that show; a group holds its nodes by lines that are no relationship. */
  function lines(nodes, placed, state) {
    const made = [];
    for (const node of nodes)
      for (const call of node.children) {
        if (!placed.has(call.node)) continue;
        if (!call.edges.length)
          made.push({ id: `line:${node.id}:${call.node.id}`, from: node, to: call.node, edge: null });
        call.edges.forEach((edge, twin) =>
          made.push({ id: edge.id, from: node, to: call.node, edge, twin, twins: call.edges.length }),
        );
      }
    for (const node of nodes)
      for (const edge of node.edges) {
        if (edge.source !== node || !placed.has(edge.target) || edge.target === node) continue;
        if (edge.type === "SPECIALIZES" && (state.lines.SPECIALIZES || state.ego))
          made.push({ id: edge.id, from: node, to: edge.target, edge, aside: true });
        if (edge.type === "NEXT" && (state.lines.NEXT || state.ego))
          made.push({ id: edge.id, from: node, to: edge.target, edge, aside: true });
      }
    return made;
  }

  /* -- places ------------------------------------------------------------------------------------------------------ */

  function place(nodes, more, placed, edges) {
    const graph = new window.dagre.graphlib.Graph({ multigraph: true });
    graph.setGraph({
      rankdir: "LR",
      nodesep: 12,
      edgesep: 8,
      ranksep: 48,
      ranker: nodes.length > 400 ? "tight-tree" : "network-simplex",
    });
    const order = new Map();
    const add = (id, width, height) => {
      order.set(id, order.size);
      graph.setNode(id, { width, height });
    };
    const moreOf = new Map(more.map((each) => [each.parent, each]));
    const waiting = [];
    for (const node of nodes) {
      while (waiting.length && !below(node, waiting.at(-1))) add("more:" + waiting.pop().id, 90, 26);
      add(node.id, placed.get(node).width, placed.get(node).height);
      if (moreOf.has(node)) waiting.push(node);
    }
    while (waiting.length) add("more:" + waiting.pop().id, 90, 26);
    for (const line of edges)
      if (!line.aside) graph.setEdge(line.from.id, line.to.id, { weight: WEIGHT[line.edge?.type] || 1 }, line.id);
    for (const { parent } of more) graph.setEdge(parent.id, "more:" + parent.id, {}, "more");
    window.dagre.layout(graph, { customOrder: (layered) => keepOrder(layered, order) });
    const at = new Map(graph.nodes().map((id) => [id, { x: graph.node(id).x, y: graph.node(id).y }]));
    for (const edge of graph.edges()) at.set(edge.name, graph.edge(edge).points);
    return at;
  }

  function below(node, parent) {
    return node.parents.includes(parent) || view.ancestors(node).includes(parent);
  }

  /* Steps stand under each other as they are done. dagre's own order has fewer crossings and no meaning. */
  function keepOrder(layered, order) {
    const layers = new Map();
    for (const id of layered.nodes()) {
      const node = layered.node(id);
      if (node.rank === undefined) continue;
      const ends = node.edgeObj ? order.get(node.edgeObj.w) : undefined;
      if (!layers.has(node.rank)) layers.set(node.rank, []);
      layers.get(node.rank).push({ node, at: order.get(id) ?? (ends === undefined ? 1e9 : ends - 0.5), id });
    }
    for (const layer of layers.values())
      layer
        .sort((one, other) => one.at - other.at || view.compare(one.id, other.id))
        .forEach((each, index) => {
          each.node.order = index;
        });
  }

  function edgeElement(line, at, widths) {
    const element = plainLine(line.id, line.from.id, line.to.id, at, widths, line);
    const edge = line.edge;
    if (!edge) return element;
    const index = edge.properties.index;
    Object.assign(element.data, {
      edge,
      order: Number.isInteger(index) ? String(index + 1) : "",
      said: view.bindings(edge.properties.bindings).join("\n"),
    });
    element.classes = `relationship ${edge.type} ${line.aside ? "aside" : "down"}`;
    return element;
  }

  /* A smooth line from right edge to left edge by the points that dagre kept free for it. */
  function plainLine(id, from, to, at, widths, line) {
    const element = { group: "edges", data: { id, source: from, target: to }, classes: "line" };
    const half = (end) => (widths.get(end) || 90) / 2;
    if (line && line.aside) {
      Object.assign(element.data, aside(at.get(from), half(from), at.get(to), half(to)));
      return element;
    }
    const start = { x: at.get(from).x + half(from), y: at.get(from).y };
    const end = { x: at.get(to).x - half(to), y: at.get(to).y };
    const kept = at.get(line ? line.id : "more") || [];
    const far = kept.length > 3 && line;
    const beside = line && line.twins > 1 ? (line.twin - (line.twins - 1) / 2) * 14 : 0;
    end.y += beside;
    const middle = (start.x + end.x) / 2;
    const inner = far
      ? [{ x: start.x + 24, y: start.y }, ...through(kept), { x: end.x - 24, y: end.y }]
      : [
          { x: middle, y: start.y },
          { x: middle, y: end.y },
        ];
    Object.assign(element.data, controls(start, end, inner), { out: "50% 0px", in: `-50% ${beside}px` });
    return element;
  }

  /* A line that has no part in the layout: straight to the nearer side, or round the right side within a column. */
  function aside(one, half, other, otherHalf) {
    const same = Math.abs(one.x - other.x) < half + otherHalf;
    const right = same || other.x > one.x;
    const start = { x: one.x + (right ? half : -half), y: one.y + 5 };
    const end = { x: other.x + (right && !same ? -otherHalf : otherHalf), y: other.y - 5 };
    const out = Math.max(start.x, end.x) + 34;
    const inner = same
      ? [
          { x: out, y: start.y },
          { x: out, y: end.y },
        ]
      : [{ x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 }];
    return {
      ...controls(start, end, inner),
      out: `${right ? "" : "-"}50% 5px`,
      in: `${right && !same ? "-" : ""}50% -5px`,
    };
  }

  /* Straight between the cards of each column that a long line passes: every second point is the middle of a column. */
  function through(points) {
    return points
      .slice(2, -2)
      .filter((point, index) => index % 2 === 0)
      .flatMap((point) => [
        { x: point.x - 95, y: point.y },
        { x: point.x + 95, y: point.y },
      ]);
  }

  /* Points as cytoscape.js wants them: how far along the straight line, and how far beside it. */
  function controls(start, end, points) {
    const dx = end.x - start.x;
    const dy = end.y - start.y;
    const length = Math.hypot(dx, dy) || 1;
    const weights = points.map((p) => ((p.x - start.x) * dx + (p.y - start.y) * dy) / (length * length));
    const distances = points.map((p) => ((p.y - start.y) * dx - (p.x - start.x) * dy) / length);
    return { weights, distances };
  }

  /* -- what is chosen ---------------------------------------------------------------------------------------------- */

  function mark(cy, state) {
    cy.batch(() => {
      cy.elements(".chosen, .near").removeClass("chosen near");
      if (state.edge) cy.$id(state.edge.id).addClass("chosen");
      if (!state.selected) return;
      const card = cy.$id(state.selected.id);
      card.addClass("chosen");
      card.connectedEdges(".relationship").addClass("near");
    });
  }

  /* Everything, no larger than it is; with `least`, no smaller than can be read, from the left. */
  function showAll(cy, least) {
    if (!cy.elements().length || !cy.width()) return;
    cy.fit(undefined, 20);
    if (cy.zoom() > 1) {
      cy.zoom(1);
      cy.center();
    }
    if (!least || cy.zoom() >= least) return;
    cy.zoom(least);
    cy.center();
    const box = cy.elements().renderedBoundingBox();
    cy.panBy({ x: Math.max(0, 20 - box.x1), y: box.h > cy.height() ? 20 - box.y1 : 0 });
  }

  /* Moves as little as needed for these nodes to be in sight. */
  function bringIntoSight(cy, nodes) {
    const eles = nodes.reduce((all, node) => all.union(cy.$id(node.id)), cy.collection());
    if (!eles.length || !cy.width()) return;
    if (cy.zoom() < 0.55) cy.zoom({ level: 0.8, position: eles[0].position() });
    const box = eles.renderedBoundingBox({ includeLabels: false });
    const edge = 30;
    const move = (low, high, room) =>
      high - low > room - 2 * edge ? edge - low : low < edge ? edge - low : high > room - edge ? room - edge - high : 0;
    cy.panBy({ x: move(box.x1, box.x2, cy.width()), y: move(box.y1, box.y2, cy.height()) });
  }

  Object.assign(view, { createCanvas: create, draw, mark, showAll, bringIntoSight });
})((window.graphmemView = window.graphmemView || {}));
