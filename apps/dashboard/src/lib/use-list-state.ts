import { useCallback, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import {
  type Direction,
  listParams,
  nextDirection,
  optionIn,
  pageIn,
  withParams,
} from './list-state.rules.ts';
import { isLeavingPage, presentSearch } from './pending-page.ts';

const pauseMs = 250;

export interface Pages {
  page: number;
  totalPages: number;
  total: number;
  onPage: (page: number) => void;
}

export interface ListState {
  /** The text of the search box. */
  text: string;
  setText: (text: string) => void;
  /** The text to search for: that of the box after a pause in typing. */
  search: string;
  page: number;
  setPage: (page: number) => void;
  /** The end of a list with numbered pages, once a page is loaded. */
  pagesOf: (list: Pick<Pages, 'totalPages' | 'total'> | undefined) => Pages | undefined;
  /** The value of a filter; empty for all. */
  filter: <Value extends string>(name: string, options: readonly { value: Value }[]) => Value | '';
  /** The value of a filter that has no fixed options. */
  param: (name: string) => string;
  setFilter: (name: string, value: string) => void;
  /** The sorted column and its direction, or the default. */
  sort: (fallback: string) => { by: string; direction: Direction };
  setSort: (by: string, first?: Direction) => void;
  /** Whether a search or one of these filters is set. */
  isFiltered: (...names: string[]) => boolean;
  /** Removes the search and all filters. */
  clear: () => void;
}

/**
 * The search, filters, order and page of a list. They are kept in the address, so that a filtered list can be shared and
 * Back restores it; changes replace the entry of the browser's history instead of adding one for each keystroke.
 */
export function useListState(): ListState {
  const [params, setParams] = useSearchParams();
  const search = params.get(listParams.search) ?? '';
  const [text, setShown] = useState(search);
  // On a busy machine a pause can be over before the text that ended it is rendered.
  const latest = useRef(search);
  const setText = useCallback((next: string) => {
    latest.current = next;
    setShown(next);
  }, []);
  const written = useRef(search);
  // Changes can follow each other, or a link, before anything is rendered; none may undo another.
  const write = useCallback(
    (changes: Record<string, string>) => {
      const next = withParams(new URLSearchParams(presentSearch()), changes);
      setParams(next, { replace: true, preventScrollReset: true });
    },
    [setParams],
  );
  useEffect(() => {
    // An address that has already been replaced says nothing about the text.
    if (params.toString() !== new URLSearchParams(presentSearch()).toString()) return;
    const asked = params.get(listParams.search) ?? '';
    if (asked === written.current) return;
    written.current = asked;
    setText(asked);
  }, [params, setText]);
  useEffect(() => {
    const next = text.trim();
    if (next === written.current) return;
    const timer = setTimeout(() => {
      if (isLeavingPage() || latest.current.trim() !== next) return;
      written.current = next;
      write({ [listParams.search]: next });
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text, write]);
  const sort = (fallback: string) => ({
    by: params.get(listParams.sort) ?? fallback,
    direction: params.get(listParams.direction) === 'asc' ? ('asc' as const) : ('desc' as const),
  });
  const setPage = (page: number) => write({ [listParams.page]: page === 1 ? '' : String(page) });
  return {
    text,
    setText,
    search,
    page: pageIn(params),
    setPage,
    pagesOf: (list) =>
      list && { page: pageIn(params), totalPages: list.totalPages, total: list.total, onPage: setPage },
    filter: (name, options) => optionIn(params, name, options),
    param: (name) => params.get(name) ?? '',
    setFilter: (name, value) => write({ [name]: value }),
    sort,
    setSort(by, first = 'asc') {
      const now = sort('');
      const direction = nextDirection(now.by === by, now.direction, first);
      write({ [listParams.sort]: by, [listParams.direction]: direction });
    },
    isFiltered: (...names) => search !== '' || names.some((name) => params.has(name)),
    clear() {
      written.current = '';
      setText('');
      setParams({}, { replace: true, preventScrollReset: true });
    },
  };
}
