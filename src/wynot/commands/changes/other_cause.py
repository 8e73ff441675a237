"""Whether the last revision fails without the first commit that fails, too: then it has another cause.

A binary search takes it for granted that all revisions after the first one that fails do so as well. Where a later
commit has undone the failure, and another one brings it again, the first one explains nothing of the last revision.
"""

from __future__ import annotations

from collections.abc import Sequence

from wynot.commands.changes.git.repository import Repository
from wynot.commands.changes.git.revert_check import reverted
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL
from wynot.domains.changes.commit_history import Commit
from wynot.engine.baseline.confirm_result import confirmed
from wynot.engine.tester import Tester


def fails_without(tester: Tester[Folder], repository: Repository, last: str, commits: Sequence[Commit]) -> bool:
    """Whether the last revision is seen to fail where these commits are reverted; False if that is a conflict, too."""
    tree = reverted(repository, last, commits)
    if tree is None:
        return False
    return tester.test(tree.digest(), tree, tree.size) is FAIL and confirmed(tester, tree)
