// Bars on a canvas, redrawn when its size or the colours change.

export function drawWeeks(canvas, weeks, signal) {
  const draw = () => {
    const { width, height } = canvas.getBoundingClientRect();
    if (width === 0) return;
    const scale = devicePixelRatio;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const style = getComputedStyle(canvas);
    const highest = Math.max(...weeks);
    const slot = width / weeks.length;
    const room = height - 22;
    pen.font = `11px ${style.fontFamily}`;
    pen.textAlign = "center";
    for (const [at, views] of weeks.entries()) {
      const tall = (views / highest) * (room - 18);
      pen.fillStyle = style.getPropertyValue(at === weeks.length - 1 ? "--accent" : "--chart");
      pen.beginPath();
      pen.roundRect(at * slot + slot * 0.18, room - tall, slot * 0.64, tall, 4);
      pen.fill();
      pen.fillStyle = style.getPropertyValue("--muted");
      pen.fillText(String(at + 1), at * slot + slot / 2, height - 6);
      pen.fillText(`${views}`, at * slot + slot / 2, room - tall - 5);
    }
  };
  const resized = new ResizeObserver(draw);
  resized.observe(canvas);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", draw, { signal });
  signal.addEventListener("abort", () => resized.disconnect());
}
