"""The best pairing of an even number of things, exactly: minimum-cost perfect matching in a general graph.

Edmonds' blossom algorithm in its primal-dual form, grown from one unmatched vertex at a time (the theory: Edmonds
1965, "Maximum matching and a polyhedron with 0,1-vertices"; Galil 1986, "Efficient algorithms for finding maximum
matching in graphs"). Costs are whole numbers of any size, so that one rule can outweigh all that come after it.

A round of 500 pairs has 125,000 possible games. :func:`best_pairs` solves a thin graph of the cheapest ones first and
then proves with the solution's own dual prices that no game left out could have made it better, or adds those that
could.
"""

from __future__ import annotations

import heapq
import itertools
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

FREE: Final = 0
OUTER: Final = 1
"""Reached by an even number of steps from the tree's root: may reach out further."""
INNER: Final = 2
"""Reached by an odd number: leads on through its mate alone."""

_GROW: Final = 0
_OPEN: Final = 1

_SAMPLE: Final = sorted({*range(8), *(int(8 * 1.25**step) for step in range(40))})
"""Places in each row of games, cheapest first, that go into the thin graph: the nearest ones, and some far away,
because a group with an odd number of members has to reach into the next.
"""


def best_pairs(count: int, cost: Callable[[int, int], int | None]) -> list[tuple[int, int]] | None:
    """Pair 0 … *count* - 1 so that the sum of ``cost(i, j)``, i < j, is least; None when no pairing exists.

    *cost* gives None for a pair that may not be. The result is sorted, each pair low number first.
    """
    if count % 2:
        return None
    prices: list[dict[int, int]] = [{} for _ in range(count)]
    for i in range(count):
        for j in range(i + 1, count):
            price = cost(i, j)
            if price is not None:
                prices[i][j] = prices[j][i] = price
    order = [sorted(row, key=row.__getitem__) for row in prices]
    chosen = [{row[place] for place in _SAMPLE if place < len(row)} for row in order]
    while True:
        graph = _Graph(count, [(i, j, prices[i][j]) for i, j in _edges(chosen)])
        stuck = graph.solve()
        more: list[tuple[int, int, int]] = []
        if stuck is None:
            for i, row in enumerate(prices):
                mine = graph.price[i]
                for j, price in row.items():
                    if i < j and mine + graph.price[j] + 4 * price < 0 and (gain := graph.gain(i, j, price)) > 0:
                        more.append((-gain, i, j))  # no game of the thin graph: those promise nothing any more
            if not more:
                return sorted((i, j) for i, j in enumerate(graph.mate) if i < j)
        else:  # this tree cannot grow in the thin graph: only an edge out of it helps
            outer, inner = stuck
            for i in outer:
                leads = (j for j in order[i] if j not in inner and outer.get(j) != outer[i] and j not in chosen[i])
                more += [(prices[i][j], i, j) for j in itertools.islice(leads, 4)]
            if not more:
                return None
        taken: Counter[int] = Counter()
        for _, i, j in sorted(more):
            if taken[i] < 4 or taken[j] < 4:
                taken[i] += 1
                taken[j] += 1
                chosen[i].add(j)


def _edges(chosen: list[set[int]]) -> Iterable[tuple[int, int]]:
    return {(min(i, j), max(i, j)) for i, near in enumerate(chosen) for j in near}


class _Graph:
    """One solution in the making. Numbers below *count* are vertices, the others blossoms.

    Dual prices are doubled, so that they stay whole: an edge is tight when ``price[i] + price[j] == -4 * cost`` (less
    twice the blossoms that hold both ends). While a tree grows, *grown* says how far; prices of labelled vertices are
    stored as of the moment their blossom got its label.
    """

    def __init__(self, count: int, edges: Iterable[tuple[int, int, int]]) -> None:
        self.count = count
        self.near: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        for i, j, cost in edges:
            self.near[i].append((j, -2 * cost))  # doubled once more: sums over a tree keep one parity
            self.near[j].append((i, -2 * cost))
        self.worth = [dict(near) for near in self.near]
        self.mate = [-1] * count
        self.price = [max((worth for _, worth in near), default=0) for near in self.near]
        self.top = list(range(count))
        self.parent: list[int] = [-1] * count
        self.base = list(range(count))
        self.members: list[list[int]] = [[] for _ in range(count)]
        self.links: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        self.weight = [0] * count
        """A blossom's dual; unused for vertices."""
        self.label = [FREE] * count
        self.entry: list[tuple[int, int] | None] = [None] * count
        self.since = [0] * count
        self.grown = 0
        self.heap: list[tuple[int, int, int, int]] = []

    # --- prices ---------------------------------------------------------------------------------------------------

    def _price(self, vertex: int) -> int:
        top = self.top[vertex]
        label = self.label[top]
        if label == FREE:
            return self.price[vertex]
        gone = self.grown - self.since[top]
        return self.price[vertex] - gone if label == OUTER else self.price[vertex] + gone

    def _settle(self, top: int) -> None:
        """Write the prices of *top* as they are now."""
        gone = self.grown - self.since[top]
        label = self.label[top]
        if gone and label != FREE:
            for vertex in self._vertices(top):
                self.price[vertex] += -gone if label == OUTER else gone
            if top >= self.count:
                self.weight[top] += gone if label == OUTER else -gone
        self.since[top] = self.grown

    def gain(self, i: int, j: int, cost: int) -> int:
        """How much an edge that was left out promises to make the solution cheaper; none when it is 0 or less."""
        slack = self.price[i] + self.price[j] + 4 * cost
        if slack < 0 and self.top[i] == self.top[j]:
            blossoms, at = set(), self.parent[i]
            while at >= 0:
                blossoms.add(at)
                at = self.parent[at]
            at = self.parent[j]
            while at >= 0:
                if at in blossoms:
                    slack += 2 * self.weight[at]
                at = self.parent[at]
        return -slack

    def _vertices(self, top: int) -> Iterable[int]:
        ahead = [top]
        while ahead:
            at = ahead.pop()
            if at < self.count:
                yield at
            else:
                ahead.extend(self.members[at])

    # --- the search -----------------------------------------------------------------------------------------------

    def solve(self) -> tuple[dict[int, int], set[int]] | None:
        """Match everything at least cost: None when that is done. Otherwise the tree that could not grow: its outer
        vertices with the blossom of each, and its inner vertices.
        """
        self._start()
        for vertex in range(self.count):
            if self.mate[vertex] < 0 and not self._grow_from(vertex):
                labels = [self.label[top] for top in self.top]
                outer = {at: self.top[at] for at in range(self.count) if labels[at] == OUTER}
                return outer, {at for at in range(self.count) if labels[at] == INNER}
        return None

    def _start(self) -> None:
        """Lower each vertex's price as far as it goes and match along the tight edges: most of the work, cheaply."""
        for vertex in range(self.count):
            if not self.near[vertex] or self.mate[vertex] >= 0:
                continue
            slack = min(self.price[vertex] + self.price[other] - 2 * worth for other, worth in self.near[vertex])
            self.price[vertex] -= slack - slack % 2
            for other, worth in self.near[vertex]:
                tight = self.price[vertex] + self.price[other] == 2 * worth
                if tight and self.mate[other] < 0:
                    self.mate[vertex], self.mate[other] = other, vertex
                    break

    def _grow_from(self, root: int) -> bool:
        self.grown, self.heap = 0, []
        self._become_outer(self.top[root], None)
        while self.heap:
            key, kind, i, j = heapq.heappop(self.heap)
            self.grown = max(self.grown, key)
            if kind == _OPEN:
                if self.parent[i] < 0 and self.label[i] == INNER and self.members[i]:
                    left = self.weight[i] - (self.grown - self.since[i])
                    if left > 0:
                        heapq.heappush(self.heap, (self.grown + left, _OPEN, i, i))
                    else:
                        self._open(i)
                continue
            here, there = self.top[i], self.top[j]
            if here == there or self.label[here] != OUTER or self.label[there] == INNER:
                continue
            if self._slack_of(i, j) > 0:
                self._push(i, j)
            elif self.label[there] == OUTER:
                self._join(i, j)
            elif self.mate[self.base[there]] < 0:
                self._augment(i, j)
                self._drop_labels()
                return True
            else:
                self._become_inner(there, (i, j))
                base = self.base[there]
                self._become_outer(self.top[self.mate[base]], (base, self.mate[base]))
        return False

    def _slack_of(self, i: int, j: int) -> int:
        return self._price(i) + self._price(j) - 2 * self.worth[i][j]

    def _push(self, i: int, j: int) -> None:
        """Remember when the edge from the outer vertex *i* to *j* will be tight."""
        slack = self._slack_of(i, j)
        if self.label[self.top[j]] == OUTER:
            slack //= 2
        heapq.heappush(self.heap, (self.grown + slack, _GROW, i, j))

    def _become_outer(self, top: int, entry: tuple[int, int] | None) -> None:
        self._settle(top)
        self.label[top], self.entry[top], self.since[top] = OUTER, entry, self.grown
        for vertex in self._vertices(top):
            self._look_around(vertex)

    def _look_around(self, vertex: int) -> None:
        top = self.top[vertex]
        for other, _ in self.near[vertex]:
            there = self.top[other]
            if there != top and self.label[there] != INNER:
                self._push(vertex, other)

    def _become_inner(self, top: int, entry: tuple[int, int]) -> None:
        self._settle(top)
        self.label[top], self.entry[top], self.since[top] = INNER, entry, self.grown
        if top >= self.count:
            heapq.heappush(self.heap, (self.grown + self.weight[top], _OPEN, top, top))

    def _drop_labels(self) -> None:
        for top in {*self.top}:
            self._settle(top)
        for top in {*self.top}:
            self.label[top], self.entry[top], self.since[top] = FREE, None, 0
        self.grown = 0

    # --- blossoms -------------------------------------------------------------------------------------------------

    def _way_up(self, top: int) -> list[int]:
        way = [top]
        while (entry := self.entry[way[-1]]) is not None:
            way.append(self.top[entry[0]])
        return way

    def _join(self, i: int, j: int) -> None:
        """The tight edge i–j closes an odd ring of the tree: it becomes one outer blossom."""
        one, other = self._way_up(self.top[i]), self._way_up(self.top[j])
        while len(one) > 1 and len(other) > 1 and one[-2] == other[-2]:
            one.pop()
            other.pop()
        meeting = one.pop()
        other.pop()
        ring = [meeting, *reversed(one), *other]
        links = [self._entry(node) for node in reversed(one)]
        links.append((i, j))
        links += [(inside, outside) for outside, inside in map(self._entry, other)]
        blossom = len(self.members)
        self.members.append(ring)
        self.links.append(links)
        self.base.append(self.base[meeting])
        self.parent.append(-1)
        self.weight.append(0)
        self.label.append(OUTER)
        self.entry.append(self.entry[meeting])
        self.since.append(self.grown)
        were_inner: list[int] = []
        for node in ring:
            self._settle(node)
            inner = self.label[node] == INNER
            self.parent[node], self.label[node], self.entry[node] = blossom, FREE, None
            for vertex in self._vertices(node):
                self.top[vertex] = blossom
                if inner:
                    were_inner.append(vertex)
        for vertex in were_inner:
            self._look_around(vertex)

    def _entry(self, node: int) -> tuple[int, int]:
        entry = self.entry[node]
        assert entry is not None
        return entry

    def _open(self, blossom: int) -> None:
        """An inner blossom whose dual is used up falls apart: part of its ring stays in the tree, the rest is free."""
        self._settle(blossom)
        outside, inside = self._entry(blossom)
        ring, links = self.members[blossom], self.links[blossom]
        for node in ring:
            self.parent[node], self.label[node], self.since[node] = -1, FREE, self.grown
            for vertex in self._vertices(node):
                self.top[vertex] = node
        self.members[blossom], self.links[blossom], self.label[blossom] = [], [], FREE
        at, size = ring.index(self.top[inside]), len(ring)
        on_way = {at}
        entry = (outside, inside)
        step = 1 if at % 2 else -1
        while True:
            self._become_inner(ring[at], entry)
            if at == 0:
                break
            mate_at = (at + step) % size
            base = self.base[ring[at]]
            self._become_outer(ring[mate_at], (base, self.mate[base]))
            next_at = (mate_at + step) % size
            entry = links[mate_at] if step == 1 else links[next_at][::-1]
            on_way |= {mate_at, next_at}
            at = next_at
        for place, node in enumerate(ring):
            if place not in on_way:
                for vertex in self._vertices(node):
                    for other, _ in self.near[vertex]:
                        if self.label[self.top[other]] == OUTER:
                            self._push(other, vertex)

    # --- augmenting -----------------------------------------------------------------------------------------------

    def _augment(self, i: int, j: int) -> None:
        """The tight edge i–j leads out of the tree to an unmatched *j*: swap matched and unmatched along the way up."""
        self._turn(self.top[j], j)
        here, there = i, j
        while True:
            top = self.top[here]
            entry = self.entry[top]
            self._turn(top, here)
            self.mate[here], self.mate[there] = there, here
            if entry is None:
                return
            inner = self.top[entry[0]]
            outside, inside = self._entry(inner)
            self._turn(inner, inside)
            self.mate[inside] = outside
            here, there = outside, inside

    def _turn(self, node: int, vertex: int) -> None:
        """Make *vertex* the base of *node*: the ring's matched edges move round."""
        if node < self.count:
            return
        child = vertex
        while self.parent[child] != node:
            child = self.parent[child]
        self._turn(child, vertex)
        ring, links = self.members[node], self.links[node]
        at, size = ring.index(child), len(ring)
        start, step = at, 1 if at % 2 else -1
        while at != 0:
            first = (at + step) % size
            second = (first + step) % size
            a, b = links[first] if step == 1 else links[second][::-1]
            self._turn(ring[first], a)
            self._turn(ring[second], b)
            self.mate[a], self.mate[b] = b, a
            at = second
        self.members[node] = ring[start:] + ring[:start]
        self.links[node] = links[start:] + links[:start]
        self.base[node] = vertex
