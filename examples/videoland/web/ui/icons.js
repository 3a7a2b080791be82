// Line icons, drawn here so that the page needs no font and no file.
const SVG = "http://www.w3.org/2000/svg";

const PATHS = {
  home: "M3 11l9-8 9 8M5 10v10h5v-6h4v6h5V10",
  videos: "M3 6h13v12H3zM16 10l5-3v10l-5-3",
  plus: "M12 5v14M5 12h14",
  team: "M9 11a3.5 3.5 0 100-7 3.5 3.5 0 000 7zM2.5 20c.6-4 3-6 6.500-6s5.900 2 6.500 6M16 4.500a3.500 3.500 0 010 6.500M17.500 14.500c2.200.6 3.600 2.400 4 5.500",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5",
  embedded: "M8 7l-5 5 5 5M16 7l5 5-5 5",
  lab: "M9 3h6M10 3v6l-5.500 9.500a1.700 1.700 0 001.500 2.500h12a1.700 1.700 0 001.500-2.500L14 9V3M7.500 15h9",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  chevron: "M6 9l6 6 6-6",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  share: "M4 12v8h16v-8M12 16V3M8 7l4-4 4 4",
  publish: "M12 21a9 9 0 100-18 9 9 0 000 18zM3.500 9h17M3.500 15h17M12 3c3 3.500 3 14.500 0 18M12 3c-3 3.500-3 14.500 0 18",
  search: "M11 18a7 7 0 100-14 7 7 0 000 14zM16 16l5 5",
  play: "M8 5l11 7-11 7z",
  bell: "M6 17V11a6 6 0 0112 0v6l2 2H4zM10 21h4",
  logout: "M10 4H5v16h5M15 8l4 4-4 4M19 12H9",
};

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [attribute, value] of Object.entries({
    viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", focusable: "false",
  })) svg.setAttribute(attribute, value);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

/** A picture for a video, different for each id and always the same for one. */
export function thumbnail(id, seconds) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 160 90");
  svg.setAttribute("class", "thumbnail");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("preserveAspectRatio", "xMidYMid slice");
  const hue = (id * 47) % 360;
  const add = (tag, attributes) => {
    const shape = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value);
    svg.append(shape);
  };
  add("rect", { width: 160, height: 90, fill: `hsl(${hue} 42% 38%)` });
  add("circle", { cx: 30 + (id * 29) % 100, cy: 26 + (id * 13) % 30, r: 16 + (id % 5) * 3, fill: `hsl(${(hue + 35) % 360} 75% 68%)` });
  add("path", { d: `M0 ${62 + id % 9} Q40 ${38 + (id * 7) % 24} 82 ${60 + id % 7} T160 ${50 + (id * 3) % 18} V90 H0Z`, fill: `hsl(${hue} 45% 26%)` });
  add("path", { d: `M0 ${76 - id % 5} Q50 ${60 + (id * 5) % 14} 100 ${76 + id % 5} T160 ${70 + id % 8} V90 H0Z`, fill: `hsl(${hue} 50% 17%)` });
  if (seconds) add("path", { d: "M73 34l20 11-20 11z", fill: "rgb(255 255 255 / .9)" });
  return svg;
}
