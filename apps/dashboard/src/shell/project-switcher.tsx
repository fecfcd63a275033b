import { useQuery } from '@tanstack/react-query';
import { useId, useRef } from 'react';
import { Link } from 'react-router';
import { useAccountApi } from '../lib/api.ts';
import { useProject } from '../lib/current.ts';
import { paths } from '../lib/paths.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './project-switcher.module.css';

/** The current project and a menu of the others. */
export function ProjectSwitcher() {
  const project = useProject();
  const projects = useQuery(useAccountApi().projects.list.queryOptions({}));
  const list = useRef<HTMLElement>(null);
  const id = useId();
  const close = () => list.current?.hidePopover();
  return (
    <>
      <button
        type="button"
        className={styles.button}
        popoverTarget={id}
        aria-label={`Project ${project.name}, switch project`}
      >
        <span className={styles.name}>{project.name}</span>
        <Icon name="updown" size={14} />
      </button>
      <nav ref={list} id={id} popover="auto" className={styles.list} aria-label="Projects">
        <ul>
          {projects.data?.map(({ id: other, name }) => (
            <li key={other}>
              <Link
                to={paths.project(other)}
                className={styles.item}
                aria-current={other === project.id ? 'true' : undefined}
                onClick={close}
              >
                <span className={styles.name}>{name}</span>
                {other === project.id && <Icon name="check" size={14} />}
              </Link>
            </li>
          ))}
        </ul>
        <Link to={paths.newProject} className={styles.item} onClick={close}>
          <Icon name="plus" size={14} />
          New project
        </Link>
      </nav>
    </>
  );
}
