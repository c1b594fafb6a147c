// Before Dexie: it remembers the indexedDB that it finds when it is first imported.
import 'fake-indexeddb/auto';
