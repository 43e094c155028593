"""Whether a page can be touched and read: scripts that run in it, and find what is too small or too faint."""

TOUCH_TARGET_PX = 44

SMALL_TARGETS = f"""[...document.querySelectorAll("button, a, summary, input, select")]
    .filter((each) => each.checkVisibility() && !each.closest(".unseen, .skip") && !each.matches(".skip, h1 a"))
    .map((each) => [each.textContent.trim(), each.getBoundingClientRect().height])
    .filter(([, height]) => height < {TOUCH_TARGET_PX} - 0.5)"""

FAINT_TEXTS = """(() => {
    const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
    const linear = (c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
    const ground = (each) => {
        for (let at = each; at; at = at.parentElement) {
            const colour = rgb(getComputedStyle(at).backgroundColor);
            if (colour.length < 4 || colour[3] === 1) return colour;
        }
        return [255, 255, 255];
    };
    const faint = [];
    for (const each of document.querySelectorAll("body *")) {
        const own = [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        const apart = each.closest(".unseen, .board, svg, .skip, noscript, :disabled");
        if (!own || apart || !each.checkVisibility()) continue;
        const [a, b] = [light(rgb(getComputedStyle(each).color)), light(ground(each))];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < 4.5) faint.push([each.textContent.trim().slice(0, 40), Math.round(contrast * 100) / 100]);
    }
    return faint;
})()"""
