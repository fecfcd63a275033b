import { useDeferredValue, useEffect, useState } from 'react';

const pauseMs = 250;

/** The text of a search box, and the text to search for after a pause in typing. */
export function useSearchText(): [text: string, setText: (text: string) => void, search: string] {
  const [text, setText] = useState('');
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText, useDeferredValue(search)];
}
