import { isRefused, sampleSize } from './requests.rules.ts';

/** An entry whose `alike` still grows. */
export interface Sampled {
  id: string;
  at: Date;
  alike: number;
  /** whether the database has the entry, so that a greater `alike` has to be written on its own */
  isWritten: boolean;
}

interface ProjectMinute {
  refused: number;
  accepted: number;
  /** the newest entry of each operation, status and code */
  byKind: Map<string, Sampled>;
}

const minuteMs = 60_000;
/** Projects that are told apart in one minute; the requests of further ones are counted without an entry. */
const mostProjects = 50_000;

/**
 * Decides which requests get an entry: per project and minute the first ones that were refused and the first that were accepted. Those after
 * them are counted at an entry like them.
 */
export class RequestSample {
  #minute = Number.NaN;
  #projects = new Map<string, ProjectMinute>();

  /**
   * @param kind operation, status and code
   * @param begin makes the entry
   * @returns the entry that the request is part of, and whether it is its own; null where none is like it
   */
  take(
    request: { projectId: string; status: number; kind: string; now: number },
    begin: () => Sampled,
  ): { entry: Sampled; isNew: boolean } | null {
    const project = this.#projectOf(request.projectId, request.now);
    if (!project) return null;
    const outcome = isRefused(request.status) ? 'refused' : 'accepted';
    if (project[outcome] < sampleSize[outcome]) {
      project[outcome] += 1;
      const entry = begin();
      project.byKind.set(request.kind, entry);
      return { entry, isNew: true };
    }
    const entry = project.byKind.get(request.kind);
    if (!entry) return null;
    entry.alike += 1;
    return { entry, isNew: false };
  }

  #projectOf(id: string, now: number): ProjectMinute | null {
    const minute = Math.floor(now / minuteMs);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#projects = new Map();
    }
    const known = this.#projects.get(id);
    if (known) return known;
    if (this.#projects.size >= mostProjects) return null;
    const project = { refused: 0, accepted: 0, byKind: new Map<string, Sampled>() };
    this.#projects.set(id, project);
    return project;
  }
}
