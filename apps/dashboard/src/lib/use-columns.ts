import { type ColumnOption, columnsParam, shownColumns } from './columns.rules.ts';
import { useProject } from './current.ts';
import { readPreference, writePreference } from './storage.ts';
import type { ListState } from './use-list-state.ts';

export interface Columns {
  options: readonly ColumnOption[];
  shown: ReadonlySet<string>;
  onChange: (shown: ReadonlySet<string>) => void;
}

/**
 * The columns of a list that are shown: those of its address, else those chosen last in this browser, else the default ones.
 *
 * @param options the columns that may be hidden; texts are ids and labels of columns that are shown by default
 */
export function useColumns(
  list: string,
  state: Pick<ListState, 'param' | 'setFilter'>,
  options: readonly (ColumnOption | string)[],
): Columns {
  const preference = `columns.${useProject().id}.${list}`;
  const all = options.map((option) =>
    typeof option === 'string' ? { value: option, label: option, isDefault: true } : option,
  );
  return {
    options: all,
    shown: shownColumns(all, state.param('columns') || (readPreference(preference) ?? '')),
    onChange(shown) {
      const param = columnsParam(all, shown);
      writePreference(preference, param);
      state.setFilter('columns', param);
    },
  };
}
