import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../lib/api.ts';
import { useProject, useProjectPath, useUser } from '../lib/current.ts';
import { failureOf } from '../lib/failure.ts';
import { readRecent, rememberRecent } from '../lib/recent.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import { type Command, CommandDialog, type CommandGroup } from '../ui/command.tsx';
import { isIconName } from '../ui/icon.tsx';
import { type Findable, matchingCommands, recordGroups } from './commands.rules.ts';
import { usePlaces } from './places.ts';
import { useActions } from './use-actions.ts';

const pauseMs = 120;
const longest = 254;

interface CommandPaletteProps {
  onHelp: () => void;
  onClose: () => void;
}

/** Finds pages, records and actions of the project, and other projects. */
export function CommandPalette({ onHelp, onClose }: CommandPaletteProps) {
  const to = useProjectPath();
  const recentKey = `${useUser().id}.${useProject().id}`;
  const [text, setText] = useState('');
  const wanted = text.trim().slice(0, longest);
  const search = useRecordSearch(wanted);
  const { actions, projects } = useActions(onHelp);
  const places = usePlaces().flatMap((group) => group.places);
  const pages = places.map(
    ({ page, label, icon, words, key }): Findable => ({
      id: `page ${page}`,
      label,
      icon,
      words,
      keys: `G ${key.toUpperCase()}`,
      to: to(page),
    }),
  );
  const recent = readRecent(recentKey).map(
    ({ to: path, label, icon }): Findable => ({
      id: `recent ${path}`,
      label,
      icon: isIconName(icon) ? icon : 'clock',
      to: path,
    }),
  );
  const groups: CommandGroup[] =
    wanted === ''
      ? [
          { label: 'Recent', items: recent },
          { label: 'Actions', items: actions },
          { label: 'Go to', items: pages },
          { label: 'Switch project', items: projects },
        ]
      : [
          { label: 'Go to', items: matchingCommands(pages, wanted) },
          { label: 'Actions', items: matchingCommands(actions, wanted) },
          ...recordGroups(search.records, to),
          { label: 'Switch project', items: matchingCommands(projects, wanted) },
        ];
  const filled = groups.filter(({ items }) => items.length > 0);
  return (
    <CommandDialog
      label="Search and commands"
      placeholder="Search or run a command…"
      text={text}
      onText={setText}
      groups={filled}
      status={statusOf(search, filled.length === 0)}
      onChoose={(command) => {
        if (isRecord(command)) rememberRecent(recentKey, { ...command, label: command.label });
        command.run?.();
      }}
      onClose={onClose}
    />
  );
}

/** Pages and actions are listed anyway. */
const isRecord = (command: Command): command is Command & { to: string } =>
  command.to !== undefined &&
  /^(contact|campaign|template|workflow|segment|email)[.]|^recent /.test(command.id);

interface RecordSearch {
  records: Parameters<typeof recordGroups>[0];
  isLoading: boolean;
  error: unknown;
}

function useRecordSearch(text: string): RecordSearch {
  const settled = useDebounced(text, pauseMs);
  const query = useQuery({
    ...useApi().search.records.queryOptions({ text: settled }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  });
  const isCurrent = text !== '' && settled !== '';
  return {
    records: isCurrent ? (query.data?.results ?? []) : [],
    isLoading: text !== '' && (text !== settled || query.isFetching),
    error: isCurrent ? query.error : null,
  };
}

function statusOf({ isLoading, error }: RecordSearch, isEmpty: boolean): string | null {
  if (error) return `Records could not be searched: ${failureOf(error).message}`;
  if (!isEmpty) return null;
  return isLoading
    ? 'Searching…'
    : 'Nothing found. Contacts are found by their names and the beginning of their address.';
}
