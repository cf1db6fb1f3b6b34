/* The plan that is laid over the graph: what it fills in, what it lacks, and its steps with the way each came by. */
(function (view) {
  "use strict";

  const { element } = view;
  const GLYPH = { each: "↻", until: "⟳", optional: "?", choose: "⋔" };

  function create(panel, plan, on) {
    const buttons = new Map();

    function build() {
      panel.replaceChildren(
        ...[
          element("div", { class: "plan-head" }, element("h2", {}, "Plan"), plan.nodes.size ? toggle() : null),
          element("p", { class: "task" }, plan.task),
          plan.fits ? confidence() : element("p", { class: "warn" }, "Nothing known fits."),
          lacking(
            "No value for",
            plan.missing.map((slot) => `{${slot}}`),
          ),
          lacking("Not covered", plan.unexplained),
          plan.values.length ? values() : null,
          plan.steps.length ? element("ol", { class: "plan-steps" }, plan.steps.map(item)) : null,
          plan.reason ? element("p", { class: "meta" }, plan.reason) : null,
        ].filter(Boolean),
      );
    }

    function toggle() {
      return element(
        "button",
        { type: "button", id: "plan-only", "aria-pressed": "true", onclick: on.planOnly },
        "Only the plan",
      );
    }

    function confidence() {
      const said = plan.confidence.toFixed(2);
      return element(
        "p",
        { class: "confidence" },
        element("span", {}, "Confidence"),
        element("meter", { min: 0, max: 1, value: plan.confidence, "aria-label": `Confidence ${said} of 1` }),
        element("b", {}, said),
        plan.site ? element("span", { class: "meta" }, `on ${plan.site}`) : null,
      );
    }

    function lacking(title, list) {
      if (!list.length) return null;
      return element("p", { class: "warn" }, element("b", {}, `${title}: `), list.join(", "));
    }

    function values() {
      return element(
        "dl",
        { class: "facts" },
        plan.values.flatMap(([slot, value]) => [element("dt", {}, `{${slot}}`), element("dd", {}, view.phrase(value))]),
      );
    }

    function item(step) {
      const depth = step.number.split(".").length - 1;
      const number = element("span", { class: "step-number" }, step.number);
      const made = element("li", { class: step.control ? "control" : "" });
      made.style.setProperty("--depth", depth);
      const glyph = GLYPH[step.control];
      const words = step.control ? `${view.controlText(step.control, step.spec)}:` : step.text;
      const button = element(
        "button",
        { type: "button", "aria-pressed": "false", disabled: !step.path.length, onclick: () => on.step(step) },
        number,
        element(
          "span",
          {},
          glyph ? element("span", { "aria-hidden": "true" }, glyph + " ") : null,
          words,
          ...notes(step),
        ),
      );
      buttons.set(step, button);
      made.append(button);
      return made;
    }

    function notes(step) {
      if (step.control) return [];
      return [
        step.missing.length ? `needs ${step.missing.map((slot) => `{${slot}}`).join(", ")}` : "",
        step.final ? "cannot be undone" : "",
        step.site !== plan.site ? step.site : "",
      ]
        .filter(Boolean)
        .map((text) => element("span", { class: "note" }, text));
    }

    /* The chosen step says why it is there and by which way. */
    function mark(state) {
      panel.querySelector(".way")?.remove();
      for (const [step, button] of buttons) button.setAttribute("aria-pressed", String(step === state.step));
      const only = panel.querySelector("#plan-only");
      if (only) only.setAttribute("aria-pressed", String(state.planOnly));
      if (!state.step) return;
      const button = buttons.get(state.step);
      button.after(way(state.step));
      button.scrollIntoView({ block: "nearest" });
    }

    function way(step) {
      const links = step.path.map((node) =>
        element(
          "li",
          {},
          element(
            "button",
            { type: "button", class: "link", onclick: () => on.reveal(node) },
            view.dot(node),
            element("span", {}, view.nameOf(node)),
          ),
        ),
      );
      return element(
        "div",
        { class: "way" },
        step.because ? element("p", { class: "meta" }, step.because) : null,
        element("ol", { "aria-label": "The way through the graph" }, links),
      );
    }

    build();
    panel.hidden = false;
    return { mark };
  }

  view.createPlan = create;
})((window.graphmemView = window.graphmemView || {}));
