import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import { Link } from 'react-router';
import { type Project, useAccountApi } from '../lib/api.ts';
import { useProject } from '../lib/current.ts';
import { latestFirst } from '../lib/last-project.ts';
import { paths } from '../lib/paths.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Chip } from '../ui/chip.tsx';
import { Icon } from '../ui/icon.tsx';
import type { ChoiceGroup } from '../ui/picker.tsx';
import styles from './project-switcher.module.css';

const environments = { LIVE: 'Live', TEST: 'Test' } as const;

/** Live projects first; one group where there is nothing to tell apart. */
function byEnvironment(projects: readonly Project[], current: string): [ChoiceGroup, ...ChoiceGroup[]] {
  const groupOf = (environment: Project['environment']): ChoiceGroup => ({
    label: environments[environment],
    items: projects
      .filter((each) => each.environment === environment)
      .map(({ id, name }) => ({
        id,
        label: name,
        to: paths.project(id),
        icon: <Avatar name={name} />,
        current: id === current,
      })),
  });
  const [live, test] = [groupOf('LIVE'), groupOf('TEST')];
  if (test.items.length === 0) return [live];
  return live.items.length === 0 ? [test] : [live, test];
}

const Picker = lazy(async () => ({ default: (await import('../ui/picker.tsx')).Picker }));

/** The current project, and a choice of the others with a search, those opened last first. */
export function ProjectSwitcher() {
  const project = useProject();
  const projects = useQuery(useAccountApi().projects.list.queryOptions({}));
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-label={`Project ${project.name}, switch project`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Avatar name={project.name} />
        <span className={styles.name}>{project.name}</span>
        {project.environment === 'TEST' && <Chip tone="warn">Test</Chip>}
        <Icon name="updown" size={14} />
      </button>
      {isOpen && (
        <Suspense>
          <Picker
            label="Projects"
            search="Find a project"
            empty="No project matches."
            anchor={button}
            onClose={close}
            groups={byEnvironment(latestFirst(projects.data ?? []), project.id)}
          >
            <Link to={paths.newProject} className={styles.create} onClick={close}>
              <Icon name="plus" size={14} />
              New project
            </Link>
          </Picker>
        </Suspense>
      )}
    </>
  );
}
