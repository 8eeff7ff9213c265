"""Simulations side by side on threads that know nothing of Python."""

import threading

import footfall as ff
import numpy as np
import pytest

SCENES = ["scenes/falling_box.yaml", "scenes/biped_rod_ankles.yaml", "scenes/falling_box.yaml"]


def test_each_simulation_gives_the_bits_of_its_own_run():
    alone, together = [ff.Simulation(scene) for scene in SCENES], [ff.Simulation(scene) for scene in SCENES]
    seconds = [0.6, 0.3, 0.0]  # more than the portion after which signals are looked for
    for simulation, time in zip(alone, seconds):
        simulation.run(time)
    assert ff.Workers(2).run(together, seconds) == [True, True, True]
    for one, other in zip(alone, together):
        assert one.state == other.state


def test_one_time_for_all_and_workers_that_are_used_again():
    boxes = [ff.Simulation("scenes/falling_box.yaml") for _ in range(3)]
    workers = ff.Workers(2)
    assert workers.threads == 2 and "2 threads" in repr(workers)
    assert workers.run([], 0.1) == []
    for _ in range(50):
        workers.run(boxes, 0.01)
    assert {box.time for box in boxes} == {0.5}
    assert boxes[0].state == boxes[1].state == boxes[2].state
    assert ff.Workers().threads >= 1


def test_one_that_fails_stops_where_it_is_and_the_others_go_on():
    boxes = [ff.Simulation("scenes/falling_box.yaml") for _ in range(3)]
    boxes[1].input.add_wrench("box", force=[0, 0, 0], moment=[1e200, 2e200, 0])
    before = boxes[1].state.copy()
    assert ff.Workers(2).run(boxes, 0.3) == [True, False, True]
    assert boxes[1].state == before and "not finite" in boxes[1].describe_failure()
    assert boxes[0].time == boxes[2].time == 0.3


def test_parts_in_python_are_called_and_what_they_raise_arrives():
    pushed, raising, alone = (ff.Simulation("scenes/falling_box.yaml") for _ in range(3))
    force = np.array([0.5, 0, 0, 0, 0, 0])
    for simulation in (pushed, alone):
        simulation.set_force_field(lambda time, q, nu: force)

    def fails(time, q, nu):
        if time > 0.1:
            raise KeyError("out of forces")
        return force

    raising.set_force_field(fails)
    alone.run(0.3)
    with pytest.raises(KeyError, match="out of forces"):
        ff.Workers(2).run([raising, pushed], 0.3)
    assert pushed.state == alone.state, "the others have gone on"
    assert 0.09 < raising.time < 0.12
    raising.set_force_field(None)
    raising.run(0.1)


def test_a_simulation_that_is_busy_or_named_twice_is_refused():
    box, other = ff.Simulation("scenes/falling_box.yaml"), ff.Simulation("scenes/falling_box.yaml")
    workers = ff.Workers(2)
    with pytest.raises(ff.Error, match="named twice"):
        workers.run([box, other, box], 0.1)
    with pytest.raises(ff.Error, match="2 simulations and 1 times"):
        workers.run([box, other], [0.1])
    for seconds in (-1.0, np.nan):
        with pytest.raises(ff.Error, match="expected zero or more"):
            workers.run([box, other], seconds)
    with pytest.raises(TypeError):
        workers.run([box, None], 0.1)
    assert box.time == other.time == 0.0, "nothing has begun"

    began, ends, refusals = threading.Event(), threading.Event(), []

    def waits(time, q, nu):
        began.set()
        ends.wait(30.0)
        return np.zeros(6)

    box.set_force_field(waits)
    thread = threading.Thread(target=lambda: workers.run([box], 0.001))
    thread.start()
    assert began.wait(30.0)
    for those in (workers, ff.Workers(2)):  # the workers are busy; others may not touch the simulation
        with pytest.raises(ff.Error, match="another thread is stepping it") as refused:
            those.run([box, other], 0.001)
        refusals.append(str(refused.value))
    ends.set()
    thread.join()
    assert "workers" in refusals[0] and "simulation" in refusals[1]


@pytest.mark.parametrize("threads", [0, -1, 100_000])
def test_threads_are_one_to_some(threads):
    with pytest.raises(ff.Error, match="expected 1 to 1024"):
        ff.Workers(threads)
