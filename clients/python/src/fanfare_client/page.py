"""Pages of lists, which the header Link joins."""

from typing import Any, AsyncIterator, Awaitable, Callable, Generic, Iterator, List, Optional, TypeVar

from .errors import ProtocolError

T = TypeVar("T")


class AsyncPage(List[T], Generic[T]):
    """The entries of one page."""

    def __init__(self, entries: List[T], query: Optional[str], read: Callable[[str], Awaitable[Any]]) -> None:
        super().__init__(entries)
        self._query = query
        self._read = read

    async def next_page(self) -> "Optional[AsyncPage[T]]":
        """The page after this one, or None."""
        return None if self._query is None else await self._read(self._query)

    async def walk(self) -> AsyncIterator[T]:
        """All entries from here on, of all pages."""
        page: Optional[AsyncPage[T]] = self
        while page is not None:
            for entry in page:
                yield entry
            page = _moved(page, await page.next_page())


class Page(List[T], Generic[T]):
    """The entries of one page."""

    def __init__(self, page: AsyncPage[T], run: Callable[[Any], Any]) -> None:
        super().__init__(page)
        self._page = page
        self._run = run
        self._query = page._query

    def next_page(self) -> "Optional[Page[T]]":
        """The page after this one, or None."""
        page = self._run(self._page.next_page())
        return None if page is None else Page(page, self._run)

    def walk(self) -> Iterator[T]:
        """All entries from here on, of all pages."""
        page: Optional[Page[T]] = self
        while page is not None:
            yield from page
            page = _moved(page, page.next_page())


def _moved(page: Any, following: Any) -> Any:
    if following is not None and following._query == page._query:
        raise ProtocolError("The pages do not end: an address repeats.")
    return following
