// What every driver of a peer does: go to each page, look at it, change it, and print one line of JSON per page.
//
// A driver gives `goTo(url)`, `evaluate(functionText)`, `look()` (the text a model gets) and `close()`.

/** What the benchmark wants: { browser, flags, rounds, seconds, pages: [{ name, url, before?, change? }] }. */
export const job = JSON.parse(process.argv[2]);

export async function run({ goTo, evaluate, look, close }) {
  for (const page of job.pages) console.log(JSON.stringify({ page: page.name, ...await measured(page, { goTo, evaluate, look }) }));
  await close();
}

async function measured({ url, before, change }, peer) {
  try {
    if (before) {
      await peer.goTo(before.url);
      await peer.evaluate(before.run);
    }
    await peer.goTo(url);
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

async function changed(peer, change, round) {
  const wanted = `Changed ${round}`;
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
