import { hostEngine } from './engine-host.ts';
import type { ToWorker } from './messages.ts';

declare const self: DedicatedWorkerGlobalScope;

const handle = hostEngine((message) => self.postMessage(message));
self.addEventListener('message', (event: MessageEvent<ToWorker>) => handle(event.data));
