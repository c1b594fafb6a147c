// Must be imported before Dexie, which stores a reference to indexedDB when it is first imported.
import 'fake-indexeddb/auto';
