// The state behind the page: what the server says, merged; and whether it can be heard.
// EventSource reconnects by itself where it can; where it gives up, or hears nothing, it is made anew with the id of the
// last event, so that only what was missed is sent.

const SILENCE_MS = 25_000; // two and a half heartbeats of the server
const RETRY_MS = [1_000, 30_000]; // the first and the longest wait where it was refused

/** Whoever reads on this device may do so no more. */
export const signedOut = () => location.replace("/arbiter/sign-in?signed-out");

/** What is known of a board with what is new; of what is null there is nothing any more; each case is a part of its own, and "cases" their order. */
function merged(before, parts) {
  const all = { ...before, ...parts };
  if (!all.order || "cases" in parts) all.order = parts.cases ?? [];
  all.cases = all.order.map((name) => all[name]).filter(Boolean);
  for (const name of Object.keys(all)) if (all[name] === null || (name.startsWith("case ") && !all.order.includes(name))) delete all[name];
  if (Object.keys(parts).some((name) => name.startsWith("case "))) parts.cases = all.order;
  return all;
}

/** Follows `url`, from what came with the id `last` on. `told(changed, anew)` gets the parts that changed by board; `heard(yes)` whether the line stands. */
export function follow(url, { told, heard }, last = "") {
  const boards = new Map();
  const clock = { late: 0 }; // how far our clock is ahead of the server's, in ms
  let source = null;
  let quiet = 0;
  let retry = 0;
  let wait = RETRY_MS[0];

  function open() {
    clearTimeout(retry);
    source?.close();
    source = new EventSource(last ? `${url}?last=${encodeURIComponent(last)}` : url);
    source.onmessage = take;
    source.onerror = () => {
      heard(false);
      if (source.readyState === EventSource.CLOSED) closed();
    };
    listen();
  }

  async function closed() {
    const answer = await fetch(location.pathname, { redirect: "manual" }).catch(() => null);
    if (answer?.type === "opaqueredirect") signedOut();
    else retry = setTimeout(open, wait);
    wait = Math.min(2 * wait, RETRY_MS[1]);
  }

  function listen() {
    clearTimeout(quiet);
    quiet = setTimeout(() => {
      heard(false);
      open();
    }, SILENCE_MS);
  }

  function take(event) {
    const said = JSON.parse(event.data);
    last = event.lastEventId;
    wait = RETRY_MS[0];
    clock.late = Date.now() - said.now;
    const changed = new Map(Object.entries(said.boards));
    if (said.all) {
      for (const number of boards.keys()) if (!changed.has(number)) boards.delete(number);
    }
    for (const [number, parts] of changed) boards.set(number, merged(boards.get(number), parts));
    heard(true);
    listen();
    if (changed.size || said.all) told(changed, Boolean(said.all));
  }

  addEventListener("online", open);
  addEventListener("offline", () => heard(false));
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && source.readyState !== EventSource.OPEN) open();
  });
  open();
  return { boards, clock };
}
