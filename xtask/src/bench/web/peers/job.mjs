// What every driver of a peer does: go to each page, look at it, change it, and print one line of JSON per page.
//
// A driver gives `goTo(url)`, `press(name)` (a button), `evaluate(functionText)`, `look()` (the text a model gets) and `close()`.

/** What the benchmark wants: { browser, flags, rounds, seconds, pages: [{ name, url, before?, change?, press? }] }. */
export const job = JSON.parse(process.argv[2]);

export async function run({ goTo, evaluate, look, press, close }) {
  for (const page of job.pages) console.log(JSON.stringify({ page: page.name, ...await measured(page, { goTo, evaluate, look, press }) }));
  await close();
}

async function measured({ url, before, change, press }, peer) {
  try {
    if (before) {
      await peer.goTo(before.url);
      await peer.evaluate(before.run);
    }
    await peer.goTo(url);
    presses = 0;
    if (press) return { looks: await timed(() => pressed(peer, press)) };
    const text = before ? await settled(peer) : await peer.look();
    const looks = await timed(() => peer.look());
    const changes = change ? await timed((round) => changed(peer, change, round)) : [];
    return { looks, changes, text };
  } catch (error) {
    return { error: String(error?.message ?? error).split("\n")[0] };
  }
}

/** The text of a look, taken again until it stays the same: screens load after the page does. */
async function settled(peer) {
  let text = await peer.look();
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const next = await peer.look();
    if (next.length === text.length) return next;
    text = next;
  }
  return text;
}

/** A press is confirmed by what the page says afterwards. */
async function pressed(peer, name) {
  const said = () => peer.evaluate("() => document.getElementById('pressed').textContent");
  const end = performance.now() + job.seconds * 1000;
  presses += 1;
  await peer.press(name);
  while (!(await said()).includes(`Pressed ${presses}`)) if (performance.now() > end) throw new Error("nothing was pressed");
}
let presses = 0;

async function changed(peer, change, round) {
  const wanted = `Changed ${[...String(round)].map((digit) => "abcdefghij"[digit]).join("")}`;
  await peer.evaluate(change.replace("ROUND", String(round)));
  const text = await peer.look();
  if (!text.includes(wanted)) throw new Error(`the look does not show "${wanted}"`);
}

/** Milliseconds per round: as many rounds as asked for, or as fit into the time, but at least two. */
async function timed(once) {
  const end = performance.now() + job.seconds * 1000;
  const times = [];
  for (let round = 0; round < job.rounds && (round < 2 || performance.now() < end); round += 1) {
    const start = performance.now();
    await once(round);
    times.push(performance.now() - start);
  }
  return times;
}
