"""The article in a real browser: nothing asked of any server, readable everywhere, usable by keyboard."""

from __future__ import annotations

import json
import unittest

from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.bundle import Bundle
from scenario_ratio.show import article
from tests.browser import Visit, chromium, needs_axe, needs_chromium
from tests.support import ROOT, temporary_folder

ARTICLE = (ROOT / "article.html").as_uri()
COLUMN = """(column) => Array.from(document.querySelectorAll('#all-pairs tbody tr:not([hidden])'))
  .map(row => row.cells[column].dataset.value ?? row.cells[column].textContent)"""


@needs_chromium
class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        manager = chromium()
        cls.browser = manager.__enter__()
        cls.addClassCleanup(manager.__exit__, None, None, None)

    def visit(self, url: str = ARTICLE, **options) -> Visit:
        visit = Visit(self.browser, url, **options)
        self.addCleanup(visit.context.close)
        return visit


class Loading(Browser):
    def test_it_asks_for_nothing_and_says_nothing(self):
        visit = self.visit()
        visit.page.wait_for_timeout(300)
        self.assertEqual(([ARTICLE], []), (visit.requests, visit.console))

    def test_the_policy_stops_what_is_injected(self):
        visit = self.visit()
        visit.page.evaluate(
            """() => {
              const script = document.createElement('script'); script.textContent = 'window.ran = true'; document.body.append(script);
              const image = document.createElement('img'); image.src = 'https://example.org/x.png'; document.body.append(image);
              document.body.insertAdjacentHTML('beforeend', '<p style="color:red" onclick="window.ran=true">x</p>');
            }"""
        )
        visit.page.wait_for_timeout(300)
        self.assertIsNone(visit.page.evaluate("window.ran ?? null"))
        self.assertTrue(visit.console)
        self.assertTrue(all("Content Security Policy" in line for line in visit.console), visit.console)

    def test_hostile_texts_are_text(self):
        bundle = Bundle(ROOT, artifacts=ARTIFACTS)
        results = json.loads((ROOT / "results.json").read_bytes())
        hostile = "<img src=x onerror=window.ran=1>\"'><script>window.ran=1</script>\u202etxet"
        first = results["pairs"][0]["submitter"]
        for named in (*results["pairs"], results["highlighted"]["same_system"]):
            named.update({key: hostile + named[key] for key in ("submitter", "system", "platform") if key in named})
        figures = {row.name: bundle.read(row.name) for row in ARTIFACTS if row.kind == "figure"}
        path = temporary_folder(self) / "hostile.html"
        path.write_bytes(article.build(results, figures, bundle.asset))
        visit = self.visit(path.as_uri())
        self.assertEqual(([], [path.as_uri()]), (visit.console, visit.requests))
        self.assertIsNone(visit.page.evaluate("window.ran ?? null"))
        shown = visit.page.evaluate("document.querySelector('#all-pairs tbody').rows[0].cells[3].textContent")
        self.assertEqual(hostile.replace("\u202e", "[U+202E]") + first, shown)


@needs_axe
class Accessible(Browser):
    def test_nothing_to_find_in_light_and_in_dark(self):
        for scheme in ("light", "dark"):
            with self.subTest(scheme):
                self.assertEqual([], self.visit(color_scheme=scheme, bypass_csp=True).violations())


class Readable(Browser):
    def test_no_sideways_scrolling_on_small_screens_and_at_200_percent(self):
        for width, height in ((320, 640), (640, 400), (1280, 800)):
            with self.subTest(width):
                self.assertEqual(0, self.visit(viewport={"width": width, "height": height}).overflow())

    def test_without_javascript_everything_is_there_and_no_control_that_does_nothing(self):
        page = self.visit(java_script_enabled=False).page
        self.assertEqual(152, page.locator("#all-pairs tbody tr").count())
        self.assertFalse(page.locator("#pair-filter").is_visible())
        self.assertEqual(0, page.locator("button").count())

    def test_print_shows_every_pair_and_no_controls(self):
        page = self.visit().page
        page.emulate_media(media="print")
        self.assertFalse(page.locator("#pair-filter").is_visible())
        self.assertEqual("visible", page.evaluate("getComputedStyle(document.querySelector('.scroll')).overflowX"))
        self.assertEqual(
            "rgb(255, 255, 255)", page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        )
        self.assertGreater(len(page.pdf()), 10_000)


class Usable(Browser):
    def test_sorting_by_ratio_with_the_keyboard(self):
        page = self.visit().page
        header = page.locator("#all-pairs thead th").nth(1)
        for direction, sign in (("ascending", 1), ("descending", -1)):
            header.locator("button").focus()
            page.keyboard.press("Enter")
            self.assertEqual(direction, header.get_attribute("aria-sort"))
            ratios = [float(value) for value in page.evaluate(COLUMN, 1)]
            self.assertEqual(sorted(ratios, key=lambda ratio: sign * ratio), ratios)
            self.assertEqual(152, len(ratios))

    def test_sorting_by_row_follows_the_numbers(self):
        page = self.visit().page
        page.locator("#all-pairs thead button").nth(0).click()
        first = [int(text.split("/")[0]) for text in page.evaluate(COLUMN, 0)]
        self.assertEqual(sorted(first), first)

    def test_filtering_by_words_narrows_and_is_announced(self):
        page = self.visit().page
        status = page.locator("#pair-filter [role=status]")
        self.assertEqual("152 of 152 rows shown", status.text_content())
        page.get_by_label("Filter by any words").fill("nvidia B300-SXM-270GBx8 deepseek")
        shown = page.evaluate(COLUMN, 0)
        self.assertIn("285/286", shown)
        self.assertTrue(all(model == "deepseek-r1" for model in page.evaluate(COLUMN, 2)))
        self.assertEqual(f"{len(shown)} of 152 rows shown", status.text_content())
        page.get_by_label("Filter by any words").fill("285")
        self.assertEqual(["285/286"], page.evaluate(COLUMN, 0))
        page.get_by_label("Filter by any words").fill("no such words")
        self.assertEqual("0 of 152 rows shown", status.text_content())
        page.get_by_label("Filter by any words").fill("")
        self.assertEqual("152 of 152 rows shown", status.text_content())

    def test_the_first_tab_leads_past_the_contents(self):
        page = self.visit().page
        page.keyboard.press("Tab")
        self.assertEqual("#main", page.evaluate("document.activeElement.getAttribute('href')"))
        page.keyboard.press("Enter")
        self.assertEqual("#main", page.evaluate("location.hash"))

    def test_every_table_and_figure_that_scrolls_can_be_reached(self):
        page = self.visit().page
        named = ":is([aria-labelledby], [aria-label])"
        reached = page.locator(f'.scroll[tabindex="0"][role="region"]{named}').count()
        self.assertEqual(page.locator("table, figure").count(), reached)
        self.assertEqual(page.locator(".scroll").count(), reached)
