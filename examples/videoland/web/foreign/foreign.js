// The other origin's page: it orders at its own server, which the application around it cannot see.
const result = document.getElementById("result");
document.getElementById("order").addEventListener("click", async () => {
  const response = await fetch("/api/order", { method: "POST" });
  const { ordered } = await response.json();
  result.textContent = `Bestellt: ${ordered}`;
});
