// The error reaches the page's error handler, as an uncaught one in a real application would.
export default {
  id: "throws",
  texts: {
    de: { title: "Knopf, der scheitert", about: "Ein Programmfehler: einmal vor, einmal nach der Wirkung.", before: "Fehler vorher", after: "Fehler nachher" },
    en: { title: "Button that fails", about: "A programming error: once before, once after the effect.", before: "Error before", after: "Error after" },
  },
  render({ button, effect, note }) {
    const before = () => {
      note("before");
      throw new Error("lab: thrown before the effect");
    };
    const after = async () => {
      await effect({ from: "after" });
      throw new Error("lab: thrown after the effect");
    };
    return [button("before", before), button("after", after)];
  },
};
