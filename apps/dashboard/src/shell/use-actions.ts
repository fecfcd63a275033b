import { useQuery } from '@tanstack/react-query';
import { useAccountApi } from '../lib/api.ts';
import { useProject, useProjectPath } from '../lib/current.ts';
import { paths } from '../lib/paths.ts';
import { type Theme, useTheme } from '../lib/theme.ts';
import type { Findable } from './commands.rules.ts';
import { useLogout } from './use-logout.ts';

const themeNames: Record<Theme, string> = { system: 'the system', light: 'light', dark: 'dark' };

/** What the command palette can do, apart from opening pages. @param onHelp shows the list of shortcuts */
export function useActions(onHelp: () => void): { actions: Findable[]; projects: Findable[] } {
  const to = useProjectPath();
  const { id: present } = useProject();
  const list = useQuery(useAccountApi().projects.list.queryOptions({}));
  const [theme, setTheme] = useTheme();
  const { leave } = useLogout();
  const create = (label: string, page: string, words = ''): Findable => ({
    id: page,
    label,
    icon: 'plus',
    words: `create ${words}`,
    to: to(page),
  });
  const themes = (['light', 'dark', 'system'] as const).filter((name) => name !== theme);
  return {
    actions: [
      create('New campaign', 'campaigns/new', 'write newsletter'),
      create('New template', 'templates/new', 'write'),
      create('Add contact', 'contacts#add', 'new'),
      { ...create('Import contacts', 'contacts#import', 'csv upload'), icon: 'upload' },
      create('New segment', 'segments/new'),
      create('New workflow', 'workflows/new', 'automation'),
      { ...create('Add domain', 'domains', 'dns verify'), icon: 'globe' },
      { ...create('Invite a member', 'members', 'team user'), icon: 'person' },
      ...themes.map(
        (name): Findable => ({
          id: `theme ${name}`,
          label: `Use ${themeNames[name]} theme`,
          icon: name === 'system' ? 'screen' : name === 'dark' ? 'moon' : 'sun',
          words: 'appearance mode colours',
          run: () => setTheme(name),
        }),
      ),
      {
        id: 'account',
        label: 'Account',
        icon: 'person',
        words: 'profile password sessions',
        to: paths.account,
      },
      { id: 'new project', label: 'New project', icon: 'plus', words: 'create', to: paths.newProject },
      {
        id: 'docs',
        label: 'Documentation',
        icon: 'book',
        words: 'docs guides api reference help',
        href: '/docs',
      },
      {
        id: 'help',
        label: 'Keyboard shortcuts',
        icon: 'keyboard',
        keys: '?',
        words: 'help keys',
        run: onHelp,
      },
      { id: 'log out', label: 'Log out', icon: 'leave', words: 'sign out', run: leave },
    ],
    projects: (list.data ?? [])
      .filter(({ id }) => id !== present)
      .map(({ id, name }) => ({
        id: `project ${id}`,
        label: name,
        icon: 'updown',
        words: 'switch project',
        to: paths.project(id),
      })),
  };
}
