/** findings.json, both ways. docs/formats/findings.schema.json is its published schema. */
package dev.perdure.report.json;
