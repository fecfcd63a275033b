import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAccountApi } from '../lib/api.ts';
import { useProject } from '../lib/current.ts';
import { latestFirst } from '../lib/last-project.ts';
import { paths } from '../lib/paths.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Icon } from '../ui/icon.tsx';
import { Picker } from '../ui/picker.tsx';
import styles from './project-switcher.module.css';

/** The current project, and a choice of the others with a search, those opened last first. */
export function ProjectSwitcher() {
  const project = useProject();
  const projects = useQuery(useAccountApi().projects.list.queryOptions({}));
  const [isOpen, setOpen] = useState(false);
  return (
    <Picker
      label="Projects"
      search="Find a project"
      empty="No project matches."
      open={isOpen}
      onOpen={setOpen}
      choices={latestFirst(projects.data ?? []).map(({ id, name }) => ({
        id,
        label: name,
        to: paths.project(id),
        icon: <Avatar name={name} />,
        current: id === project.id,
      }))}
      trigger={
        <button
          type="button"
          className={styles.button}
          aria-label={`Project ${project.name}, switch project`}
        >
          <Avatar name={project.name} />
          <span className={styles.name}>{project.name}</span>
          <Icon name="updown" size={14} />
        </button>
      }
    >
      <Link to={paths.newProject} className={styles.create} onClick={() => setOpen(false)}>
        <Icon name="plus" size={14} />
        New project
      </Link>
    </Picker>
  );
}
