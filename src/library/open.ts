import type { OpenRequest } from '../core/engine.js';
import { isEmpty, noMetrics, type Metrics } from '../core/metrics.js';
import { addMetrics } from '../vault/metricsFile.js';
import type { Building } from './building.js';
import type { Ingest } from './ingest.js';
import type { Maintenance } from './maintenance.js';
import type { Project } from './openProject.js';
import type { Persistence } from './persistence.js';
import type { ProjectSearch } from './search/projectSearch.js';
import type { FolderWatch } from './watch.js';

/** Everything that exists once a project is open. */
export interface Open {
  readonly request: OpenRequest;
  readonly project: Project;
  readonly ingest: Ingest;
  readonly building: Building;
  readonly persistence: Persistence | undefined;
  readonly watch: FolderWatch | undefined;
  readonly maintenance: Maintenance | undefined;
  readonly search: ProjectSearch;
  /** How this window's saves and restores went since that was last written down. */
  counted: Metrics;
  activeSessionId: string | undefined;
}

/** Writes down how saves and restores went. */
export async function keepCounts(open: Open): Promise<void> {
  const { counted, project } = open;
  const [folder] = project.vaultFolders;
  if (isEmpty(counted) || folder === undefined) return;
  open.counted = noMetrics();
  // Statistics are not worth a word at the end of a window.
  await addMetrics(folder, counted).catch(() => undefined);
}
