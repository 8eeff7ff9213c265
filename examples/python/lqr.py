"""Linear-quadratic regulators from a linearised step: a pole on a cart, and a leg that stands on its foot.

    python examples/python/lqr.py
"""

import numpy as np

import footfall as ff


def lqr(A, B, Q, R):
    """The gain K of u = −K x that minimises Σ xᵀ Q x + uᵀ R u of x⁺ = A x + B u, by doubling (Chu et al. 2004)."""
    G, H = B @ np.linalg.solve(R, B.T), Q.copy()
    A_k, identity = A.copy(), np.eye(len(A))
    for _ in range(50):
        W = np.linalg.inv(identity + G @ H)
        A_next, G_next, H_next = A_k @ W @ A_k, G + A_k @ W @ G @ A_k.T, H + A_k.T @ H @ W @ A_k
        done = np.abs(H_next - H).max() <= 1e-12 * np.abs(H_next).max()
        A_k, G, H = A_next, G_next, H_next
        if done:
            break
    return np.linalg.solve(R + B.T @ H @ B, B.T @ H @ A)


def balance(simulation, K, seconds, push=None):
    """Holds the posture of zeros by u = −K x; `push(time)` is a force forward on the last link [N]. Returns the largest angle on the way."""
    joints, worst = len(simulation.state.joint_names), 0.0

    def control(simulation):
        nonlocal worst
        position = simulation.state.q[7:]
        worst = max(worst, np.abs(position).max())
        simulation.input.tau[:] = -K @ np.concatenate([position, simulation.state.nu[-joints:]])
        simulation.input.clear_wrenches()
        if push is not None:
            simulation.input.add_wrench(simulation.model.link_names[-1], force=[push(simulation.time), 0.0, 0.0])

    simulation.run(seconds, controller=control)
    return worst


def cart_pole():
    """Only the cart has a motor."""
    simulation = ff.Simulation({"robot": {"model": "cart_pole", "base": {"fixed": True}}, "hold": {"enabled": False}})
    system = simulation.linearize()
    cart = [system.inputs.index("cart")]
    K = np.zeros((2, 4))
    K[cart] = lqr(system.A, system.B[:, cart], np.diag([1.0, 10.0, 0.1, 0.1]), np.eye(1))
    return simulation, system, K


def leg():
    """The foot is free and stands on the ground: while it sticks, ankle and knee are all that moves."""
    scene = {
        "robot": {"model": "leg", "base": {"on_ground": True}},
        "contacts": [{"frame": "foot", "footprint": [[-0.09, -0.05], [0.15, -0.05], [0.15, 0.05], [-0.09, 0.05]]}],
        "hold": {"enabled": False},
    }
    simulation = ff.Simulation(scene)
    system = simulation.linearize()
    moving = [system.states.index(name) for name in ("ankle", "knee", "ankle.velocity", "knee.velocity")]
    K = lqr(system.A[np.ix_(moving, moving)], system.B[moving], np.diag([100.0, 100.0, 1.0, 1.0]), 1e-3 * np.eye(2))
    return simulation, system, K


def main():
    simulation, _, K = cart_pole()
    simulation.state.joint["pole"] = 0.3
    balance(simulation, K, 8.0)
    print("cart-pole, let go at 0.3 rad; after 8 s:", {k: f"{v:.1e}" for k, v in simulation.state.joint.to_dict().items()})
    simulation, _, K = leg()
    worst = balance(simulation, K, 4.0, push=lambda time: 30.0 if 0.5 <= time < 0.6 else 0.0)
    print(f"leg, pushed with 30 N for 0.1 s: at most {worst:.3f} rad; the foot moved {np.abs(simulation.state.base_position[:2]).max():.1e} m")


if __name__ == "__main__":
    main()
