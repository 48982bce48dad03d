/** Every auditor that is read, in the order in which a document is offered to them: the stricter shapes first. */
import type { Auditor } from '../auditor.js';
import { advisories } from './advisories.js';
import { bulk } from './bulk.js';
import { bundlerAudit } from './bundler-audit.js';
import { cargoAudit } from './cargo-audit.js';
import { composer } from './composer.js';
import { govulncheck } from './govulncheck.js';
import { npm } from './npm.js';
import { osvScanner } from './osv-scanner.js';
import { pipAudit } from './pip-audit.js';
import { yarn } from './yarn.js';
import { yarn1 } from './yarn-1.js';

export const AUDITORS: readonly Auditor[] = [
  cargoAudit,
  pipAudit,
  npm,
  osvScanner,
  govulncheck,
  bundlerAudit,
  composer,
  advisories,
  yarn1,
  yarn,
  bulk,
];
