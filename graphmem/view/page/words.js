/* The graph's small languages in words, and small helpers to put them on the page (always as text, never as markup). */
(function (view) {
  "use strict";

  const GLYPH = { each: "↻", until: "⟳", optional: "?", any_order: "⇅", choose: "⋔", sequence: "" };

  function element(tag, attributes, ...content) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name === "class") made.className = value;
      else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (value !== null && value !== undefined && value !== false)
        made.setAttribute(name, value === true ? "" : value);
    }
    for (const part of content.flat()) if (part !== null && part !== undefined && part !== "") made.append(part);
    return made;
  }

  function kindOf(node) {
    return node.label === "Subtask" ? node.properties.kind || "sequence" : "";
  }

  function isControl(node) {
    return !["", "sequence"].includes(kindOf(node));
  }

  /* What a control step does: "each booking in bookings", "only when button “Accept cookies” is there". */
  function control(node) {
    return controlText(kindOf(node), node.properties.spec);
  }

  function controlText(kind, given) {
    const spec = given || {};
    switch (kind) {
      case "each":
        return `for each ${spec.as || "item"} in ${spec.rows ? `every ${target(spec.rows)}` : spec.over || "a list"}`;
      case "until":
        return `again until ${condition(spec.until) || "done"}`;
      case "optional":
        return `only when ${condition(spec.when) || "the page asks for it"}`;
      case "any_order":
        return "in any order";
      case "choose":
        return "the first that applies";
      default:
        return "";
    }
  }

  function condition(value) {
    if (!value || typeof value !== "object") return value ? String(value) : "";
    const said = Object.entries(value).map(([name, what]) => {
      if (name === "present") return `${target(what)} is there`;
      if (name === "absent") return `${target(what)} is not there`;
      if (name === "url") return `the page is ${what}`;
      if (name === "said") return `{${what}} is said`;
      if (name === "unsaid") return `{${what}} is not said`;
      if (name === "less" || name === "more") return `${target(what.shown)} shows ${name} than ${form(what.than)}`;
      if (name === "all") return what.map(condition).join(" and ");
      return `${name.replaceAll("_", " ")} ${phrase(what)}`;
    });
    return said.join(" and ");
  }

  /* A text of an element: itself, or the slot that it is bound to. */
  function form(text) {
    if (!text || typeof text !== "object") return text;
    return `{${text.slot}${text.transform ? ` as ${text.transform}` : ""}}`;
  }

  function target(value) {
    if (!value || typeof value !== "object") return phrase(value);
    const called = form(value.name || value.label || value.placeholder || value.text || value.test_id || "");
    const near = Object.entries(value.near || {})
      .filter(([, what]) => what)
      .map(([name, what]) => `in ${name} “${phrase(what)}”`);
    if (value.row) near.push(`in row “${form(value.row)}”`);
    if (value.value) near.push(`showing “${form(value.value)}”`);
    return [value.role || value.tag || "element", called && `“${called}”`, ...near].filter(Boolean).join(" ");
  }

  function phrase(value) {
    if (Array.isArray(value)) return value.map(phrase).join(", ");
    if (value && typeof value === "object")
      return Object.entries(value)
        .map(([name, what]) => `${name} ${typeof what === "object" ? `(${phrase(what)})` : what}`)
        .join(", ");
    return value === null || value === undefined ? "" : String(value);
  }

  function binding(value) {
    if (!value || typeof value !== "object" || Array.isArray(value)) return `“${phrase(value)}”`;
    if ("slot" in value) return `{${value.slot}}` + (value.transform ? ` as ${value.transform}` : "");
    if ("literal" in value) return `“${phrase(value.literal)}”`;
    if ("from" in value) return `what “${value.from}” read`;
    return phrase(value);
  }

  /* One text for each bound slot; `short` leaves out what is only passed on under its own name. */
  function bindings(value, short) {
    return Object.entries(value || {})
      .filter(([slot, what]) => !(short && what && what.slot === slot && !what.transform))
      .map(([slot, what]) => `${slot} = ${binding(what)}`);
  }

  function plural(count, one, many) {
    return `${count.toLocaleString("en")} ${count === 1 ? one : many || one + "s"}`;
  }

  /* The second line of a node: what it is, how often it was used, by how many it is shared. */
  function meta(node) {
    const said = [];
    if (node.label === "Group") return plural(node.children.length, "routine");
    if (isControl(node))
      said.push(
        `${GLYPH[kindOf(node)] || "•"} ${nameOf(node) === node.name ? control(node) : kindOf(node).replace("_", " ")}`,
      );
    else if (node.label === "Domain") said.push(plural(node.holds.Site, "site"), plural(node.holds.Task, "task"));
    else if (node.label === "Site") said.push(plural(node.holds.Task, "task"));
    const own = node.properties;
    if (node.label !== "Domain" && node.label !== "Site" && own.uses) said.push(plural(own.uses, "use"));
    if (node.parents.length > 1 && node.label !== "Site") said.push(`shared by ${node.parents.length}`);
    if (own.general) said.push("general");
    if (own.status && own.status !== "active") said.push(own.status);
    return said.join(" · ");
  }

  function dot(node) {
    const look = `dot ${node.label} ${kindOf(node)} ${node.properties.general ? "general" : ""}`;
    return element("span", { class: look, "aria-hidden": "true" }, GLYPH[kindOf(node)] || "");
  }

  function kindName(node) {
    if (node.label === "Group") return "Group";
    return isControl(node) ? `${node.label} · ${kindOf(node).replace("_", " ")}` : node.label;
  }

  /* Where a name is only the kind of a control step, what it does says more. */
  function nameOf(node) {
    return isControl(node) && node.name.toLowerCase() === kindOf(node) ? control(node) : node.name;
  }

  Object.assign(view, {
    element,
    kindOf,
    isControl,
    control,
    controlText,
    condition,
    target,
    phrase,
    binding,
    bindings,
    plural,
    meta,
    kindName,
    nameOf,
    dot,
  });
})((window.graphmemView = window.graphmemView || {}));
