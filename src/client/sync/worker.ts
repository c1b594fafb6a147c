import { type FromWorker, hostEngine, type ToWorker } from './engine-host.ts';

declare const self: DedicatedWorkerGlobalScope;

const handle = hostEngine((message) => self.postMessage(message));
self.addEventListener('message', (event: MessageEvent<ToWorker>) => handle(event.data));
self.postMessage({ type: 'ready' } satisfies FromWorker);
