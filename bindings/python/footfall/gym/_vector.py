"""Many environments in one process."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from copy import deepcopy
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.vector.utils import concatenate, iterate

import footfall

from ._split_step import SplitStep

Infos = dict[int, list[dict[str, Any]]]  # what environment i has to say


class ThreadedVectorEnv(SyncVectorEnv):
    """Many environments in one process, their physics on threads.

    An environment of ours (a SimulationEnv) prepares its action, all simulations run on threads that know nothing of Python, and each
    looks at its own: nobody waits for the GIL. Others, and those under wrappers that may do anything with actions, take their whole steps
    on threads of Python, which get in each other's way. `threads` defaults to the cores of the machine; the caller's is one of them.
    """

    @classmethod
    def of(
        cls,
        name: str,
        num_envs: int = 1,
        threads: int | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        **options: Any,
    ) -> ThreadedVectorEnv:
        """What gymnasium.make_vec() calls."""
        make = partial(gymnasium.make, name, **options)
        return cls([make] * num_envs, threads=threads, autoreset_mode=autoreset_mode)

    def __init__(
        self, env_fns: Sequence[Callable[[], Any]], *arguments: Any, threads: int | None = None, **options: Any
    ) -> None:
        if len(env_fns) == 0:
            raise ValueError("ThreadedVectorEnv: there are no environments, expected a list of functions that make one each")
        super().__init__(env_fns, *arguments, **options)
        wanted = (os.cpu_count() or 1) if threads is None else threads
        self._workers = footfall.Workers(min(wanted, self.num_envs))
        self._pool: ThreadPoolExecutor | None = None  # for those whose steps are not split
        self._splits = [SplitStep.of(env) for env in self.envs]
        self._was_reset = False
        self._resets_now = [False] * self.num_envs

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        answer = super().reset(seed=seed, options=options)
        self._was_reset = True
        return answer

    def step(self, actions: Any) -> tuple[Any, ...]:
        """As SyncVectorEnv.step(), with the physics on threads."""
        each = list(iterate(self.action_space, actions))
        if len(each) != self.num_envs:
            raise ValueError(f"there are {len(each)} actions, expected one for each of {self.num_envs} environments")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._autoreset_envs.any():
            raise ValueError(f"environments {np.flatnonzero(self._autoreset_envs)} have ended, and wait for reset()")
        if self.autoreset_mode is AutoresetMode.NEXT_STEP:
            self._resets_now = self._autoreset_envs.tolist()
        said = self._take_all_turns(each)
        infos: dict[str, Any] = {}
        for i in range(self.num_envs):
            for info in said[i]:
                if info:
                    infos = self._add_info(infos, info, i)
        self._observations = concatenate(self.single_observation_space, self._env_obs, self._observations)
        self._autoreset_envs = self._terminations | self._truncations
        return (
            deepcopy(self._observations) if self.copy else self._observations,
            self._rewards.copy(),
            self._terminations.copy(),
            self._truncations.copy(),
            infos,
        )

    def _take_all_turns(self, actions: list[Any]) -> Infos:
        """Every environment takes its turn, also where another one raises; then the first exception is raised."""
        said: Infos = {}
        errors: dict[int, Exception] = {}
        halves, whole = self._halves_and_whole()
        if halves:
            self._run_simulations(halves, actions, errors)
        for i, split in halves:
            if i not in errors:
                self._take_turn(i, split.end, actions[i], said, errors)
        if whole:
            self._take_whole_turns(whole, actions, said, errors)
        if errors:
            raise errors[min(errors)]
        return said

    def _halves_and_whole(self) -> tuple[list[tuple[int, SplitStep]], list[int]]:
        """Environments whose steps have two halves, and the others. Before the first reset() wrappers are asked first."""
        halves: list[tuple[int, SplitStep]] = []
        whole: list[int] = []
        for i, env in enumerate(self.envs):
            split = self._splits[i]
            if split is not None and split.env is env and self._was_reset:
                halves.append((i, split))
            else:
                whole.append(i)
        return halves, whole

    def _run_simulations(self, halves: list[tuple[int, SplitStep]], actions: list[Any], errors: dict[int, Exception]) -> None:
        """The first halves, and the physics of all of them, with the GIL released once."""
        self._workers._rouse()
        running: list[SplitStep] = []
        for i, split in halves:
            if self._resets_now[i]:
                continue
            try:
                split.begin(actions[i])
                running.append(split)
            except Exception as error:
                errors[i] = error
        simulations = [split.innermost.simulation for split in running]
        durations = [split.innermost.action_duration for split in running]
        for split, ran in zip(running, self._workers._run(simulations, durations)):
            split.ran = ran

    def _take_whole_turns(self, whole: list[int], actions: list[Any], said: Infos, errors: dict[int, Exception]) -> None:
        """One task for each thread, not for each environment: handing over costs as much as a third of the physics."""
        turns = deque(whole)

        def take_turns() -> None:
            while True:
                try:
                    i = turns.popleft()
                except IndexError:
                    return
                self._take_turn(i, self.envs[i].step, actions[i], said, errors)

        self._pool = self._pool or ThreadPoolExecutor(self._workers.threads)
        helpers = [self._pool.submit(take_turns) for _ in range(min(self._workers.threads, len(whole)) - 1)]
        try:
            take_turns()
        finally:
            wait(helpers)
        for helper in helpers:
            helper.result()

    def _take_turn(
        self, i: int, step: Callable[[Any], Any], action: Any, said: Infos, errors: dict[int, Exception]
    ) -> None:
        try:
            said[i] = self._answer(i, step, action)
        except Exception as error:
            errors[i] = error

    def _answer(self, i: int, step: Callable[[Any], Any], action: Any) -> list[dict[str, Any]]:
        """Leaves what an environment answers in row i; returns what it has to say beside it."""
        if self._resets_now[i]:
            self._env_obs[i], info = self.envs[i].reset()
            self._rewards[i], self._terminations[i], self._truncations[i] = 0.0, False, False
            return [info]
        observation, reward, terminated, truncated, info = step(action)
        self._rewards[i], self._terminations[i], self._truncations[i] = reward, terminated, truncated
        if not (terminated or truncated) or self.autoreset_mode is not AutoresetMode.SAME_STEP:
            self._env_obs[i] = observation
            return [info]
        self._env_obs[i], first = self.envs[i].reset()
        return [{"final_obs": observation, "final_info": info}, first]

    def close_extras(self, **options: Any) -> None:
        if self._pool is not None:
            self._pool.shutdown()
        super().close_extras(**options)
