/* The picture: cytoscape.js draws what layout.js has placed, from left to right, a routine's steps from above to below.
 *
 * A node of the graph is a card; its second line ("caption") and its open/close button ("handle") are small nodes of their
 * own on top of it, without a counterpart in the graph. */
(function (view) {
  "use strict";

  const { WIDTH, PAD, LINE, SMALL, FONT, sheet } = view.look;
  const READABLE = 0.8; // the zoom below which names are hard to read
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

  function card(node, state, here) {
    const width = WIDTH[node.label] || 200;
    const bold = node.label === "Domain" || node.label === "Site" || node.label === "Task";
    const room = width - 2 * PAD - 4; // a handle stands on the right edge
    const name = wrap(view.nameOf(node), `${bold ? 600 : 400} 13px ${FONT}`, room, 3);
    const saidByHandle = node.label === "Site" && !state.open.has(node) && !state.ego;
    const alone = state.ego && node.sites?.size === 1 && ![...node.sites].some((site) => here.has(site));
    const where = alone ? `${[...node.sites][0].name} · ` : "";
    const text = saidByHandle ? "" : where + view.meta(node);
    const caption = text ? wrap(text, `11px ${FONT}`, room, 2) : [];
    const height = name.length * LINE + caption.length * SMALL + (caption.length ? 2 : 0) + 12;
    return { width, height, name, caption };
  }

  /* -- elements ---------------------------------------------------------------------------------------------------- */

  function draw(cy, model, state) {
    const { nodes, more } = view.visible(model, state);
    const here = new Set(nodes);
    const sizes = new Map(nodes.map((node) => [node, card(node, state, here)]));
    const edges = lines(nodes, sizes, state);
    const where = view.place(nodes, more, sizes, edges, cy.width() / READABLE - 40);
    const elements = [];
    if (where.lane)
      elements.push(box("lane", "", where.lane, nodes.some((node) => node.label === "Group") ? "" : "General ways"));
    const inTray = new Set();
    for (const tray of where.trays) {
      elements.push(box(tray.id, tray.parent.label === "Group" ? "tray bare" : "tray", tray, ""));
      for (const call of tray.parent.children) inTray.add(call.node);
      inTray.add("more:" + tray.parent.id);
    }
    for (const node of nodes) elements.push(...cardElements(node, sizes.get(node), where.at.get(node.id), state));
    for (const each of more) elements.push(moreElement(each, where.at.get("more:" + each.parent.id)));
    for (const line of edges)
      if (!inTray.has(line.to) || line.aside) elements.push(edgeElement(line, where, sizes, state));
    for (const tray of where.trays) elements.push(plainLine(tray.parent, tray.id, tray.w, where, sizes));
    for (const { parent } of more)
      if (!inTray.has("more:" + parent.id)) elements.push(plainLine(parent, "more:" + parent.id, 104, where, sizes));
    cy.batch(() => {
      cy.elements().remove();
      cy.add(elements);
    });
    mark(cy, state);
    return nodes;
  }

  function box(id, kind, { x, y, w, h }, text) {
    return { group: "nodes", position: { x, y }, data: { id, w, h, text }, classes: kind || id };
  }

  function cardElements(node, size, at, state) {
    const faint = state.match && !state.match.has(node) ? " faint" : "";
    const kind = view.kindOf(node);
    const numbers = state.plan?.badges.get(node) || [];
    const planned = state.plan?.nodes.has(node) ? "planned" : "";
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
        classes: `card ${node.label} ${kind} ${node.properties.general ? "general" : ""} ${node.properties.status || ""} ${planned}${faint}`,
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
    if (numbers.length)
      made.push({
        group: "nodes",
        position: { x: at.x - size.width / 2, y: at.y - size.height / 2 + 3 },
        data: {
          id: "step:" + node.id,
          text: numbers.length > 3 ? numbers.slice(0, 3).join(" ") + " …" : numbers.join(" "),
        },
        classes: "step",
      });
    if (children && !state.ego && !state.planOnly)
      made.push({
        group: "nodes",
        position: { x: at.x + size.width / 2, y: at.y },
        data: { id: "handle:" + node.id, node, text: state.open.has(node) ? "−" : String(children) },
        classes: `handle ${state.open.has(node) ? "opened" : ""}`,
      });
    return made;
  }

  function moreElement({ parent, hidden, others }, at) {
    const word = hidden === parent.children.length && parent.label === "Domain" ? "sites" : "more";
    const text = `${hidden.toLocaleString("en")} ${others ? (hidden === 1 ? "other" : "others") : word}`;
    return { group: "nodes", position: at, classes: "more", data: { id: "more:" + parent.id, node: parent, text } };
  }

  /* The relationships between nodes that show; a group holds its nodes by lines that are no relationship. */
  function lines(nodes, sizes, state) {
    const made = [];
    for (const node of nodes)
      for (const call of node.children) {
        if (!sizes.has(call.node)) continue;
        if (!call.edges.length)
          made.push({ id: `line:${node.id}:${call.node.id}`, from: node, to: call.node, edge: null });
        call.edges.forEach((edge, twin) =>
          made.push({ id: edge.id, from: node, to: call.node, edge, twin, twins: call.edges.length }),
        );
      }
    const into = new Map();
    for (const line of made) into.set(line.to, (into.get(line.to) || new Set()).add(line.from));
    for (const line of made) line.alone = into.get(line.to).size === 1;
    for (const node of nodes)
      for (const edge of node.edges) {
        if (edge.source !== node || !sizes.has(edge.target) || edge.target === node) continue;
        if (edge.type === "SPECIALIZES" && ((state.lines.SPECIALIZES && !state.planOnly) || state.ego))
          made.push({ id: edge.id, from: node, to: edge.target, edge, aside: true });
        if (edge.type === "NEXT" && (state.lines.NEXT || state.ego))
          made.push({ id: edge.id, from: node, to: edge.target, edge, aside: true });
      }
    return made;
  }

  function edgeElement(line, where, sizes, state) {
    const element = {
      group: "edges",
      data: { id: line.id, source: line.from.id, target: line.to.id },
      classes: "line",
    };
    const from = where.at.get(line.from.id);
    const to = where.at.get(line.to.id);
    const one = sizes.get(line.from);
    const other = sizes.get(line.to);
    const general = (node) => node.label === "Group" || Boolean(node.properties.general);
    const curve = !line.aside
      ? view.curve.down(from, one.width / 2, to, other.width / 2, where.points.get(line.id), line.twin, line.twins)
      : general(line.to) && !general(line.from)
        ? view.curve.intoLane(from, one.width / 2, to, other.height)
        : view.curve.aside(from, one.width / 2, to, other.width / 2);
    Object.assign(element.data, curve);
    const edge = line.edge;
    if (!edge) return element;
    const index = edge.properties.index;
    Object.assign(element.data, {
      edge,
      step: Number.isInteger(index) ? String(index + 1) : "",
      // Numbers of lines from several cards would stand on each other; those of what is chosen show all the same.
      order: Number.isInteger(index) && line.alone && !state.planOnly ? String(index + 1) : "",
      said: view.bindings(edge.properties.bindings).join("\n"),
    });
    const planned = state.plan?.edges.has(edge) ? "planned" : "";
    element.classes = `relationship ${edge.type} ${line.aside ? "aside" : "down"} ${planned}`;
    return element;
  }

  /* A line that stands for no single relationship: to a tray, or to what is not shown. */
  function plainLine(parent, to, width, where, sizes) {
    const start = where.at.get(parent.id);
    const kept = where.points.get("line:" + to);
    return {
      group: "edges",
      data: {
        id: "line:" + to,
        source: parent.id,
        target: to,
        ...view.curve.down(start, sizes.get(parent).width / 2, where.at.get(to), width / 2, kept),
      },
      classes: "line",
    };
  }

  /* -- what is chosen ---------------------------------------------------------------------------------------------- */

  function mark(cy, state) {
    cy.batch(() => {
      cy.elements(".chosen, .near, .mine, .on-path").removeClass("chosen near mine on-path");
      for (const part of state.step ? [...state.step.path, ...state.step.calls] : [])
        cy.$id(part.id).addClass("on-path");
      if (state.edge) cy.$id(state.edge.id).addClass("chosen");
      if (!state.selected) return;
      const card = cy.$id(state.selected.id);
      card.addClass("chosen");
      card.connectedEdges(".relationship").addClass("near");
      card.outgoers("edge.down").addClass("mine");
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

  Object.assign(view, { createCanvas: create, draw, mark, showAll, bringIntoSight, READABLE });
})((window.graphmemView = window.graphmemView || {}));
