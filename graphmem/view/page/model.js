/* The graph as the page walks it: nodes with parents and children, from the payload's places.
 *
 * A child hangs under its parent by one or several relationships ("edges"); a node has as many parents as the graph gives
 * it. Nodes that nothing holds hang under their site, general ones under one group of their own. */
(function (view) {
  "use strict";

  const PARENT_IS_TARGET = new Set(["IN", "ON"]);
  const HIERARCHY = new Set(["IN", "ON", "HAS_WAY", "HAS_SUBTASK", "HAS_ACTION"]);
  const LEVEL = { Domain: 0, Site: 1, Task: 2, Group: 2, Subtask: 3, Action: 4 };

  function read() {
    return JSON.parse(document.getElementById("data").textContent);
  }

  function build(data) {
    const nodes = data.nodes.map((node, place) => ({
      ...node,
      id: "n" + place,
      place,
      children: [],
      parents: [],
      edges: [],
      evidence: [],
      performed: [],
      sites: new Set(),
    }));
    const edges = data.edges.map((edge, place) => ({
      ...edge,
      id: "e" + place,
      source: nodes[edge.source],
      target: nodes[edge.target],
    }));
    for (const edge of edges) {
      edge.source.edges.push(edge);
      if (edge.target !== edge.source) edge.target.edges.push(edge);
    }
    const group = {
      key: "",
      label: "Group",
      name: "General ways, of several sites",
      properties: {},
      id: "general",
      place: nodes.length,
      children: [],
      parents: [],
      edges: [],
      evidence: [],
      performed: [],
      sites: new Set(),
    };
    hang(nodes, edges, group);
    readEvidence(data, nodes);
    for (const node of nodes) node.haystack = haystack(node);
    const roots = [...nodes, group].filter((node) => !node.parents.length && (node !== group || node.children.length));
    roots.sort(byLevelThenName);
    const model = { data, nodes, edges, roots, byId: new Map([...nodes, group].map((node) => [node.id, node])) };
    nameSites(model);
    tally(model);
    model.plan = data.plan && { ...data.plan, ...planned(data.plan, nodes, edges) };
    return model;
  }

  function hang(nodes, edges, group) {
    const onSite = [];
    for (const edge of edges) {
      if (!HIERARCHY.has(edge.type)) continue;
      if (edge.type === "ON" && edge.source.label !== "Task") onSite.push(edge);
      else if (PARENT_IS_TARGET.has(edge.type)) link(edge.target, edge.source, edge);
      else link(edge.source, edge.target, edge);
    }
    const held = new Set(nodes.filter((node) => node.parents.length));
    for (const edge of onSite) if (!held.has(edge.source)) link(edge.target, edge.source, edge);
    for (const node of nodes) if (!node.parents.length && LEVEL[node.label] > 1) link(group, node, null);
    const place = (edge) => edge.properties.index ?? 1e9;
    for (const node of [...nodes, group]) {
      for (const call of node.children) call.edges.sort((one, other) => place(one) - place(other));
      node.children.sort(inOrder);
    }
  }

  function link(parent, child, edge) {
    if (parent === child) return;
    let call = parent.children.find((each) => each.node === child);
    if (!call) {
      call = { node: child, edges: [] };
      parent.children.push(call);
      child.parents.push(parent);
    }
    if (edge) call.edges.push(edge);
  }

  /* Calls by their index; everything else by level, use and name. */
  function inOrder(one, other) {
    return index(one) - index(other) || byLevelThenName(one.node, other.node);
  }

  function index(call) {
    return Math.min(...call.edges.map((edge) => edge.properties.index ?? Infinity), 1e9);
  }

  function byLevelThenName(one, other) {
    return (
      LEVEL[one.label] - LEVEL[other.label] ||
      uses(other) - uses(one) ||
      compare(one.name.toLowerCase(), other.name.toLowerCase()) ||
      compare(one.key, other.key)
    );
  }

  function compare(one, other) {
    return one < other ? -1 : one > other ? 1 : 0;
  }

  function uses(node) {
    return Number(node.properties.uses) || 0;
  }

  function readEvidence(data, nodes) {
    for (const [recording, place, properties] of data.evidence) nodes[place].evidence.push({ recording, properties });
    data.recordings.forEach((recording, place) => {
      for (const step of recording.steps)
        if (step.action !== undefined) nodes[step.action].performed.push({ recording: place, step });
    });
  }

  function haystack(node) {
    const p = node.properties;
    const parts = [
      node.name,
      node.label,
      node.key,
      p.text,
      p.kind,
      p.site,
      p.op,
      p.role,
      p.value,
      p.status,
      ...(p.slots || []),
      ...(p.parameters || []).map((slot) => slot.name),
      p.target,
      p.spec,
    ];
    return parts
      .map((part) => (typeof part === "object" ? JSON.stringify(part) : part || ""))
      .join("\n")
      .toLowerCase();
  }

  /* The sites that a node belongs to: its own, else those of what it generalises or holds. */
  function nameSites(model) {
    for (const edge of model.edges) if (edge.type === "ON") edge.source.sites.add(edge.target);
    for (const site of model.nodes) if (site.label === "Site") site.sites.add(site);
    const named = new Map(model.nodes.filter((node) => node.label === "Site").map((node) => [node.name, node]));
    for (const node of model.nodes)
      if (named.has(node.properties.site)) node.sites.add(named.get(node.properties.site));
    for (let round = 0, changed = true; changed && round < 50; round++) {
      changed = false;
      for (const edge of model.edges) {
        if (edge.type === "SPECIALIZES") changed = spread(edge.source, edge.target) || changed;
        else if (
          edge.type !== "NEXT" &&
          edge.type !== "ON" &&
          edge.target.properties.general &&
          edge.source.properties.general
        )
          changed = spread(edge.source, edge.target) || changed;
      }
    }
    for (const node of model.nodes)
      node.domains = new Set(
        [...node.sites].flatMap((site) => site.parents.filter((parent) => parent.label === "Domain")),
      );
  }

  function spread(from, to) {
    const before = to.sites.size;
    for (const site of from.sites) to.sites.add(site);
    return to.sites.size > before;
  }

  /* What a site or a domain holds, by label. */
  function tally(model) {
    for (const node of model.nodes) if (LEVEL[node.label] < 2) node.holds = { Site: 0, Task: 0, Subtask: 0, Action: 0 };
    for (const node of model.nodes) {
      if (node.properties.general || node.label === "Domain") continue;
      const above = node.label === "Site" ? node.domains : [...node.sites, ...node.domains];
      for (const holder of above) holder.holds[node.label] += 1;
    }
  }

  /* A plan's steps with nodes and edges for their places, and which steps come by each of these. */
  function planned(plan, nodes, edges) {
    const steps = plan.steps.map((step) => ({
      ...step,
      path: (step.path || []).map((place) => nodes[place]),
      calls: (step.calls || []).map((place) => edges[place]),
    }));
    const badges = new Map(); // node -> the numbers of the steps that end there
    for (const step of steps)
      if (step.path.length) badges.set(step.path.at(-1), [...(badges.get(step.path.at(-1)) || []), step.number]);
    return {
      steps,
      badges,
      nodes: new Set(steps.flatMap((step) => step.path)),
      edges: new Set(steps.flatMap((step) => step.calls)),
    };
  }

  /* Everything above a node, nearest first. */
  function ancestors(node) {
    const seen = new Set([node]);
    const queue = [node];
    for (let at = 0; at < queue.length; at++)
      for (const parent of queue[at].parents)
        if (!seen.has(parent)) {
          seen.add(parent);
          queue.push(parent);
        }
    return queue.slice(1);
  }

  view.read = read;
  view.build = build;
  view.ancestors = ancestors;
  view.compare = compare;
  view.uses = uses;
  view.LEVEL = LEVEL;
})((window.graphmemView = window.graphmemView || {}));
