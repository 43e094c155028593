"""The arbiter at the page of the hall, in a real Chromium: signed in once, for the whole event."""

import json

from browser import Browser, Page

NAME = "Anne Arbitre"
AWAY_S = 30  #: in which the computer has its power again, and the page its line
CLOCKS_STAY = """(() => {
    const found = [...document.querySelectorAll(".restore button")].find(
        (each) => each.textContent.includes("Leave the clocks as they are") && !each.disabled);
    found?.click();
    return !document.querySelector(".restore");
})()"""


class Arbiter:
    """Has the page before him; see :func:`arrive`."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def give(self, table: int, result: str) -> None:
        """The players have shown him their scoresheets; where nobody answers he says it again."""
        ruling = json.dumps({"do": "result", "result": result})
        post = f"fetch('/arbiter/boards/{table}', {{method: 'POST', body: {json.dumps(ruling)}}})"
        await self.page.until(f"{post}.then((answer) => answer.status === 200)", AWAY_S)

    async def uphold(self, table: int, case: str) -> None:
        """Sees among all boards that one wants him, and goes there. A breach is one; then the pieces have to be put
        back."""
        await self._is_live()
        tile = f".tile[data-attention='3'][href='#{table}']"
        await self.page.until(f"!!document.querySelector({json.dumps(tile)})", 20)
        await self.page.click(tile)
        await self.page.sees(case)
        await self.page.click("article.case button.primary", "Rule it a breach")
        await self.page.sees("The pieces must be put back")

    async def resume(self) -> None:
        """They are back, and the clocks stay as they are, if other times are proposed at all; the game goes on."""
        await self._is_live()
        await self.page.until(CLOCKS_STAY)
        await self.page.click("button", "Resume")
        await self.page.until("!document.querySelector('.standing').checkVisibility()")
        await self.page.click("a.back")

    async def _is_live(self) -> None:
        """The page is connected, or is again."""
        await self.page.until("document.getElementById('link').textContent === 'Connected'", AWAY_S)


async def arrive(browser: Browser, address: str, code: str) -> Arbiter:
    """Signs in with a code of ``jadoube pair``."""
    page = await browser.open(f"{address}/arbiter")
    await page.fill("#name", NAME)
    await page.fill("#code", code)
    await page.click("button[type=submit]")
    await page.until("!!document.querySelector('.tile')")
    return Arbiter(page)
