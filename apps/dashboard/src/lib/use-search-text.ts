import { useDeferredValue, useEffect, useState } from 'react';

const pauseMs = 250;

/** What stands in a search box, and what to search for once the typing pauses. */
export function useSearchText(): [text: string, setText: (text: string) => void, search: string] {
  const [text, setText] = useState('');
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText, useDeferredValue(search)];
}
