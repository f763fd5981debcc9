/**
 * Reads of unpersisted data that did happen: PMRace's candidates of inter-thread inconsistency.
 *
 * <p>Rule. A load of bytes that another thread's store wrote and nobody has persisted (dirty or
 * pending) was observed, if the load returned just these bytes. Stores are stamped before and loads
 * after they take effect, so a load may stand behind a store whose value it did not get; the
 * comparison of values tells. Loads of blocks carry no values and are taken as they stand.
 *
 * <p>Limits: equal values hide that a load took an older one.
 */
package dev.perdure.detect.observed;
