import { useMemo, useState } from 'react';
import type { Failure } from '../../../lib/failure.ts';
import type { ContactValue } from './contact-data.rules.ts';
import { dataFailure, problemsOf } from './data-failure.ts';
import { type DataRow, dataOf, problemsIn } from './data-rows.rules.ts';

/** The data rows of a form, with what is wrong with them: found before a request is sent, or by the API. */
export function useDataRows(initial: () => DataRow[], refusal: Failure | null) {
  const [rows, setRows] = useState(initial);
  const [found, setFound] = useState<Record<string, string> | null>(null);
  const problems = useMemo(() => found ?? problemsOf(refusal, rows), [found, refusal, rows]);
  return {
    rows,
    setRows,
    problems,
    failure: found ? dataFailure : refusal,
    /** Calls `use` with the data, unless rows cannot be stored. */
    submit(use: (data: Record<string, ContactValue>) => void) {
      const wrong = problemsIn(rows);
      const isFine = Object.keys(wrong).length === 0;
      setFound(isFine ? null : wrong);
      if (isFine) use(dataOf(rows));
    },
  };
}
