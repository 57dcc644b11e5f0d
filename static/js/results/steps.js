const TYPING = 2; // the third of the four steps; closing the round is the fourth

/**
 * Show the button that closes the round while nothing is missing, the one that takes it back while no result
 * stands, and the step that the round is at.
 * @param {{isBegun: boolean, isComplete: boolean}} round - whether a result stands, or one is on its way; and
 *   whether every result is at the server, and none waits for a decision
 */
export function showSteps({isBegun, isComplete}) {
  document.querySelector("#take-back")?.toggleAttribute("hidden", isBegun);
  const closing = document.querySelector("#close-round");
  if (!closing || closing.hidden === !isComplete) return;
  closing.hidden = !isComplete;
  document.querySelector("#enter-results")?.toggleAttribute("hidden", isComplete);
  document.querySelectorAll("#round-steps ol > li").forEach((step, at) => {
    const isCurrent = at === TYPING + Number(isComplete);
    if (isCurrent) step.setAttribute("aria-current", "step");
    else step.removeAttribute("aria-current");
    step.classList.toggle("done", at < TYPING + Number(isComplete));
  });
}
