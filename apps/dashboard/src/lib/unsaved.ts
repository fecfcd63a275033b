import { createContext } from 'react';

/** The forms of the page that hold unsaved changes, by the key of their draft. */
export const Unsaved = createContext<Set<string>>(new Set());
