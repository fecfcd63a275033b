import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useAccountApi } from '../lib/api.ts';
import { useProject } from '../lib/current.ts';
import { latestFirst } from '../lib/last-project.ts';
import { paths } from '../lib/paths.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Icon } from '../ui/icon.tsx';
import styles from './project-switcher.module.css';

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
            choices={latestFirst(projects.data ?? []).map(({ id, name }) => ({
              id,
              label: name,
              to: paths.project(id),
              icon: <Avatar name={name} />,
              current: id === project.id,
            }))}
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
