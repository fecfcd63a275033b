# Loads every class of the client that openapi-generator made for Ruby.

$LOAD_PATH.unshift(File.expand_path('generated/lib'))
require 'openapi_client'

names = OpenapiClient.constants
names.each { |name| OpenapiClient.const_get(name) }
raise "only #{names.size} classes" if names.size < 100
