import { WORKS, ask, field } from "../lib/case.js";

const two = (number) => String(number).padStart(2, "0");

export default {
  about: "A field for a date, a time or a month.",
  make(chance) {
    const name = chance.noun();
    const day = `20${chance.int(20, 29)}-${two(chance.int(1, 12))}-${two(chance.int(1, 28))}`;
    const time = `${two(chance.int(0, 23))}:${two(chance.int(0, 59))}`;
    const [type, value] = chance.one([["date", day], ["time", time], ["month", day.slice(0, 7)], ["datetime-local", `${day}T${time}`]]);
    return {
      markup: field(chance, name, `<input type="${type}">`),
      request: ask("ui.setValue", type === "time" ? "timepicker" : "datepicker", name, { value }),
      oracle: { page: `page.it.value === ${JSON.stringify(value)}` },
      honest: WORKS,
    };
  },
};
