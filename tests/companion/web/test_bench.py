"""The workbench pages, with tasks that do what a test says."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.announcements import Translator
from companion.errors import TaskError
from companion.web import create_app
from companion.web.bench import Remark, TaskView, bench_pages
from companion.web.serve import Server
from tests.browser import HOST, browser, needs_chromium, page
from tests.companion.tables import FakeSitting

__all__ = ["browser", "page"]


class FakeTask:
    def __init__(self) -> None:
        self.shown = TaskView(words="Press start.")
        self.asked: list[tuple[str, ...]] = []
        self.refuses = False

    def view(self, say: Translator, /) -> TaskView:
        return self.shown

    def start(self, name: str, /) -> None:
        if self.refuses:
            raise TaskError("this is running already", "task_runs")
        self.asked.append(("start", name))
        self.shown = TaskView(running=True, words="Lay the ace.", done=1, total=104, asks=True)

    def confirm(self) -> None:
        self.asked.append(("confirm",))

    def stop(self) -> None:
        self.asked.append(("stop",))
        self.shown = TaskView(words="Over.", passed=False, remarks=(Remark("mat 2", "it is dark", "Light it.", "bad"),))


@pytest.fixture
def task() -> FakeTask:
    return FakeTask()


@pytest.fixture
def app(sitting: FakeSitting, task: FakeTask) -> Flask:
    return create_app(sitting, [bench_pages({"teach": task, "check": task})])


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def test_the_pages_say_what_to_do(client: FlaskClient) -> None:
    for kind, title in (("teach", "Teach a deck"), ("check", "Check the table")):
        answer = client.get(f"/{kind}")
        assert answer.status_code == 200
        assert f"<title>{title}</title>" in answer.text
        assert "Press start." in answer.text
        assert "<img" not in answer.text, "no camera picture"
    assert 'name="name"' in client.get("/teach").text
    assert 'name="name"' not in client.get("/check").text


def test_deeds_reach_the_task(client: FlaskClient, task: FakeTask) -> None:
    started = client.post("/teach/start", json={"name": "kitchen"})
    assert (started.status_code, started.json["running"], started.json["done"]) == (200, True, 1)
    client.post("/teach/confirm", json={})
    stopped = client.post("/check/stop", json={})
    assert stopped.json["remarks"] == [{"where": "mat 2", "problem": "it is dark", "advice": "Light it.", "grade": "bad"}]
    assert task.asked == [("start", "kitchen"), ("confirm",), ("stop",)]
    assert client.get("/check/state.json").json["words"] == "Over."


@pytest.mark.parametrize(
    ("path", "body", "status", "kind"),
    [
        ("/teach/start", {}, 400, "bad_form"),
        ("/teach/dance", {}, 400, "no_call"),
        ("/teach/start", {"name": "x"}, 400, "task_runs"),
        ("/polish/start", {}, 404, "no_page"),
    ],
)
def test_what_makes_no_sense_is_refused(
    client: FlaskClient, task: FakeTask, path: str, body: dict[str, str], status: int, kind: str
) -> None:
    task.refuses = True
    answer = client.post(path, json=body)
    assert (answer.status_code, answer.json["error"]) == (status, kind)
    assert task.asked == []


def test_another_sites_page_may_not_start_anything(client: FlaskClient, task: FakeTask) -> None:
    answer = client.post("/teach/start", json={"name": "x"}, headers={"Origin": "http://elsewhere.test"})
    assert (answer.status_code, task.asked) == (403, [])


def test_a_table_without_a_workbench_has_no_such_pages(sitting: FakeSitting, task: FakeTask) -> None:
    assert create_app(sitting).test_client().get("/teach").status_code == 404
    only = create_app(sitting, [bench_pages({"check": task})]).test_client()
    assert (only.get("/teach").status_code, only.get("/check").status_code) == (404, 200)


@needs_chromium
def test_a_lesson_in_the_browser(page: Page, app: Flask, task: FakeTask, serving: Callable[[Flask], Server]) -> None:
    server = serving(app)
    page.goto(f"http://{HOST}:{server.port}/teach")
    expect(page.locator("#words")).to_have_text("Press start.")
    expect(page.locator("#stop")).to_be_hidden()
    page.locator("input[name=name]").fill("kitchen")
    page.locator("#start").click()
    expect(page.locator("#words")).to_have_text("Lay the ace.")
    expect(page.locator("#count")).to_have_text("1 / 104")
    page.locator("#confirm").click()
    page.locator("#stop").click()
    expect(page.locator("#noticed li.bad")).to_have_text("mat 2: it is dark – Light it.")
    assert task.asked == [("start", "kitchen"), ("confirm",), ("stop",)]


@needs_chromium
def test_a_refusal_is_read_out(page: Page, app: Flask, task: FakeTask, serving: Callable[[Flask], Server]) -> None:
    task.refuses = True
    server = serving(app)
    page.goto(f"http://{HOST}:{server.port}/check")
    page.locator("#start").click()
    expect(page.locator("#refused")).to_contain_text("This is running already; stop it first.")
