// The Lab's service worker: it posts when it is told to, from outside every page.
addEventListener("message", (event) => {
  event.waitUntil(fetch("/api/lab/effects/service_worker", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: '{"from":"worker"}',
  }).then((response) => event.source.postMessage(response.status)));
});
