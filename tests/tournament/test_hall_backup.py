"""One backup of a hall has its rounds and the results given by hand, and another computer goes on with them."""

from pathlib import Path

import pytest
from event_kit import swiss, trf
from hall_kit import Scene

from controller.cli.main import main
from controller.config import load


def jadoube(*arguments: object) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    assert ended.value.code == 0


@pytest.fixture
def begun(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Scene:
    """As ``hall init`` writes it; with a round, a game that was played, and a result by hand that was corrected."""
    folder = tmp_path / "hall"
    jadoube("hall", "init", folder, "--simulate", "--boards", "1-12", "--yes")
    hall = Scene(folder, capsys, keep=True)
    hall.run("round", 4, hall.file("open.trf", trf(swiss())), "--yes")
    with hall.playing() as journal:
        hall.game(journal, "1", "g1").play("f2f3", "e7e5", "g2g4", "d8h4")
    hall.run("result", 2, "1-0", "--by", "Anne")
    hall.run("result", 2, "1/2-1/2", "--by", "Anne", "--reason", "written down wrongly")
    return hall


@pytest.mark.parametrize("named", [True, False])
def test_a_hall_goes_on_on_another_computer(
    begun: Scene, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    backup, there = tmp_path / "b.zip", tmp_path / "there"
    monkeypatch.chdir(begun.folder)
    jadoube("backup", "--out", backup, *(["--config", begun.config] if named else []))
    jadoube("restore", backup, "--to", there)
    capsys.readouterr()
    results = begun.run("results")
    after = Scene(there, capsys, keep=True)
    for name in ("boards.csv", "rounds/4.csv", "rounds/4.trf", "rounds/current.csv", "rounds/results.jsonl"):
        assert after.read(name) == begun.read(name)
    assert not (there / "rounds/.lock").exists()
    assert load(after.config).event.pairings == str(there / "rounds/current.csv")
    assert after.run("results") == results
    assert "written down wrongly" in results
    assert "no change" in after.run("round", 4, begun.folder / "open.trf", "--yes").replace(
        "nothing changes", "no change"
    )
    after.run("result", 3, "0-1")
    assert begun.run("results") == results, "each goes on by itself"


def test_options_written_below_all_find_their_new_place(tmp_path: Path) -> None:
    """Where ``hall init`` has the same table and option commented out, further up."""
    folder, there = tmp_path / "hall", tmp_path / "there"
    jadoube("hall", "init", folder, "--simulate", "--boards", "1-2", "--yes")
    with (folder / "hall.toml").open("a") as file:
        file.write(f'\n[broadcast]\ndirectory = "{folder / "public"}"\nport = 8063\n')
    jadoube("backup", "--out", tmp_path / "b.zip", "--config", folder / "hall.toml")
    jadoube("restore", tmp_path / "b.zip", "--to", there)
    config = load(there / "hall.toml")
    assert config.broadcast is not None
    assert (config.broadcast.directory, config.broadcast.port) == (str(there / "public"), 8063)


@pytest.mark.parametrize("asked", [True, False])
def test_what_the_broker_and_the_tables_need_comes_along_if_secrets_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], asked: bool
) -> None:
    folder, there = tmp_path / "hall", tmp_path / "there"
    jadoube("hall", "init", folder, "--tables", "--boards", "1-2", "--broker", "hall.local", "--yes")
    jadoube("backup", "--out", tmp_path / "b.zip", "--config", folder / "hall.toml", *(["--secrets"] if asked else []))
    jadoube("restore", tmp_path / "b.zip", "--to", there)
    for name in ("broker/passwords", "broker/tls/ca.key", "tables/board-2"):
        assert (folder / name).exists()
        assert (there / name).exists() == asked
        assert not asked or (there / name).stat().st_mode & 0o077 == 0
    assert "jadoube run" not in capsys.readouterr().out, "the boards are played elsewhere"
