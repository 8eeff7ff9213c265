"""Joints that are made and released while a simulation runs, and batches with bodies, as Python sees them."""

import copy
import pickle

import footfall as ff
import numpy as np
import pytest

BALLS = """
physics: {gravity: [0, 0, 0]}
bodies:
  - {name: a, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 1], velocity: [2, 0, 0]}
  - {name: b, shape: sphere, radius: 0.1, mass: 3, position: [0.2, 0, 1]}
"""


def velocities(sim):
    return sim.state.body_velocities[:, 0]


def test_a_tie_is_an_inelastic_impact_and_is_released():
    sim = ff.Simulation(BALLS)
    q = sim.state.q  # a view, which stays one
    impact = sim.tie("a", "b", name="grasp")
    assert impact.name == "grasp" and sim.ties == ["grasp"] == sim.state.ties
    assert impact.lost_energy == pytest.approx(1.5, abs=1e-12)
    assert np.linalg.norm(impact.impulse[:3]) == pytest.approx(1.5, abs=1e-12)
    assert velocities(sim) == pytest.approx([0.5, 0.5], abs=1e-12)
    sim.run(0.1)
    assert q[7] == sim.state.bodies[0, 0]
    assert sim.result.loop_wrenches.shape == (1, 6)
    sim.release("grasp")
    assert sim.ties == []
    assert sim.step()


def test_copies_snapshots_and_pickles_have_the_ties():
    sim = ff.Simulation(BALLS)
    sim.tie("a", "b", joint="hinge", axis=[0, 1, 0])
    sim.run(0.05)
    states = [sim.copy(), pickle.loads(pickle.dumps(sim))]
    state = pickle.loads(pickle.dumps(copy.copy(sim.state)))
    assert state == sim.state and state.ties == ["a-b"]
    other = ff.Simulation(BALLS)
    other.state = state
    sim.run(0.1)
    for again in [*states, other]:
        again.run(0.1)
        assert np.array_equal(again.state.q, sim.state.q) and again.ties == ["a-b"]
    assert sim.dynamics.energy().kinetic == pytest.approx(other.dynamics.energy().kinetic)


def test_what_cannot_be_tied_is_told_by_its_field():
    sim = ff.Simulation(BALLS)
    for arguments, message in [
        (("a", "c"), "between: "),
        (("a", "a"), "between: "),
        (("a", "b", "glue"), "joint: "),
        (("a", "b", "hinge", None, [0, 0, 0]), "axis: "),
        (("a", "b", "weld", None, None, -1.0), "within: "),
    ]:
        with pytest.raises(ff.Error, match=message):
            sim.tie(*arguments)
    with pytest.raises(ff.Error, match="there is no tie"):
        sim.release("grasp")


def test_a_batch_of_bodies_gives_the_bits_of_a_simulation():
    sim = ff.Simulation(BALLS)
    batch = ff.BatchSimulation(BALLS, copies=3, threads=2)
    assert batch.body("b")[:, 0] == pytest.approx([0.2] * 3)
    batch.step(50)
    sim.run(0.05)
    assert np.array_equal(batch.q[1], sim.state.q)
    assert np.array_equal(batch.body_velocity("a")[2], sim.state.body_velocities[0])
    with pytest.raises(ff.Error, match="body 'c'"):
        batch.body("c")


def test_a_loop_of_the_scene_is_tied_by_its_name():
    scene = BALLS + "loops:\n  - {name: dock, between: [a, b], joint: hinge, axis: [0, 1, 0], commanded: true}\n"
    sim, other = ff.Simulation(scene), ff.Simulation(BALLS)
    with pytest.raises(ff.Error, match="'dok' is given alone, and no loop of the scene"):
        sim.tie("dok")
    with pytest.raises(ff.Error, match="'dock' is a loop of the scene, which says joint"):
        sim.tie("dock", joint="weld")
    impact = sim.tie("dock")
    assert sim.ties == ["dock"] == [impact.name]
    other.tie("a", "b", joint="hinge", axis=[0, 1, 0], name="dock")
    sim.run(0.05), other.run(0.05)
    assert sim.state == other.state
    with pytest.raises(ff.Error, match="the scene has none"):
        ff.Simulation(BALLS).tie("dock")
